// Let the keyboard reach tables that are wider than the page: what scrolls can be focused. Buttons beside code are no
// landmarks, and the parts of the navigation are, with a name each.
addEventListener("load", () => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code")) {
    if (one.scrollWidth > one.clientWidth) one.tabIndex = 0;
  }
  for (const buttons of document.querySelectorAll(".md-code__nav")) buttons.setAttribute("role", "group");
  const names = new Set();
  for (const part of document.querySelectorAll(".md-nav[aria-labelledby]")) {
    const title = part.querySelector(".md-nav__title")?.textContent.trim() || "Pages";
    const name = names.has(title) ? `${title}, part ${names.size}` : title;
    names.add(name);
    part.removeAttribute("aria-labelledby");
    part.setAttribute("aria-label", name);
  }
});
