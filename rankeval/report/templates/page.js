"use strict";
// Without this script the tables are complete; it lets readers sort and search them.
for (const table of document.querySelectorAll("table.topics")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.value ?? "";
      const compare = (a, b) => {
        if (column === 0) return key(a).localeCompare(key(b), undefined, { numeric: true });
        // An undefined value comes last in either order.
        if (key(a) === "" || key(b) === "") return (key(a) === "") === (key(b) === "") ? 0 : (key(a) === "") === down ? -1 : 1;
        return Number(key(a)) - Number(key(b));
      };
      const rows = [...body.rows].sort((a, b) => (down ? -1 : 1) * compare(a, b));
      body.append(...rows);
    });
  });
  const label = document.createElement("label");
  label.className = "search";
  label.textContent = "Search topics ";
  const input = document.createElement("input");
  input.type = "search";
  const found = document.createElement("small");
  found.setAttribute("role", "status");
  label.append(input);
  table.closest(".wide").before(label, found);
  input.addEventListener("input", () => {
    const wanted = input.value.toLocaleLowerCase();
    let shown = 0;
    for (const row of body.rows) {
      row.hidden = !row.cells[0].textContent.toLocaleLowerCase().includes(wanted);
      shown += row.hidden ? 0 : 1;
    }
    found.textContent = wanted ? `${shown} of ${body.rows.length} topics` : "";
  });
}
