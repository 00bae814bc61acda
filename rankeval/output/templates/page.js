"use strict";
// Without this script the page is complete; it lets readers sort, search and print everything.

const number = (text) => {
  const found = text.replace(/[<,]/g, "").trim();
  return found === "" || found === "-" ? NaN : parseFloat(found);
};

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].textContent;
      const compare = (a, b) => {
        const [first, second] = [number(key(a)), number(key(b))];
        if (column === 0 || (isNaN(first) && isNaN(second))) {
          return key(a).localeCompare(key(b), undefined, { numeric: true });
        }
        // An undefined value comes last in either order.
        if (isNaN(first) || isNaN(second)) return isNaN(first) === down ? -1 : 1;
        return first - second;
      };
      body.append(...[...body.rows].sort((a, b) => (down ? -1 : 1) * compare(a, b)));
    });
  });
}

for (const table of document.querySelectorAll("table.searchable")) {
  // A row for each topic, or a body whose first row names it.
  const bodies = [...table.tBodies];
  const items = bodies.length > 1 || bodies[0].id ? bodies : [...bodies[0].rows];
  const name = (item) => (item.cells ? item : item.rows[0]).cells[0].textContent;
  const label = document.createElement("label");
  label.className = "search";
  label.textContent = `Search ${table.dataset.of} `;
  const input = document.createElement("input");
  input.type = "search";
  const found = document.createElement("small");
  found.setAttribute("role", "status");
  label.append(input);
  table.closest(".wide").before(label, found);
  input.addEventListener("input", () => {
    const wanted = input.value.toLocaleLowerCase();
    let shown = 0;
    for (const item of items) {
      item.hidden = !name(item).toLocaleLowerCase().includes(wanted);
      shown += item.hidden ? 0 : 1;
    }
    found.textContent = wanted ? `${shown} of ${items.length} ${table.dataset.of}` : "";
  });
}

// Paper opens nothing: print what is closed as well, and close it again.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((one) => (one.open = true));
});
addEventListener("afterprint", () => opened.forEach((one) => (one.open = false)));
