"use strict";
// Without this script the page is complete but for the topics of a report; it sorts.

const number = (text) => {
  const found = text.replace(/[<,]/g, "").trim();
  return found === "" || found === "-" ? NaN : parseFloat(found);
};

for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim() || head.tagName === "TD") return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    const key = (row) => row.cells[column].textContent;
    button.addEventListener("click", () => {
      // The best come first on the first click: the greatest values, the smallest costs.
      const rows = [...body.rows];
      const words = column === 0 || rows.every((row) => isNaN(number(key(row))));
      const first = words || "loss" in head.dataset ? "ascending" : "descending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((head) => head.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const turn = order === "ascending" ? 1 : -1;
      const compare = (a, b) => {
        if (words) return turn * key(a).localeCompare(key(b), undefined, { numeric: true });
        const [left, right] = [number(key(a)), number(key(b))];
        // An undefined value comes last in either order.
        return isNaN(left) - isNaN(right) || turn * (left - right) || 0;
      };
      body.append(...rows.sort(compare));
    });
  });
}

const measure = document.getElementById("measure");
const shownMeasure = () => Number(measure?.value ?? 0);
measure?.addEventListener("change", () => {
  document.querySelectorAll(".of-measure").forEach((part, i) => (part.hidden = i !== shownMeasure()));
});
