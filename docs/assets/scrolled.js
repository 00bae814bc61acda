// Let the keyboard reach tables that are wider than the page: what scrolls can be focused.
addEventListener("load", () => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  }
});
