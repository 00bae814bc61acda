// Filter the catalogue of measures by words, and by what one of its columns says.
addEventListener("load", () => {
  const controls = document.querySelector(".catalogue");
  if (!controls) return;
  const table = controls.parentElement.querySelector("table");
  const heads = [...table.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
  const rows = [...table.tBodies[0].rows];
  const parts = (row, column) => row.cells[column].textContent.split(", ").filter((part) => part);
  const words = document.createElement("input");
  words.type = "search";
  words.placeholder = "name or words";
  words.setAttribute("aria-label", "Name or words");
  controls.append(words);
  const chosen = ["subject", "tools", "needs"].map((head) => {
    const column = heads.indexOf(head);
    const select = document.createElement("select");
    select.setAttribute("aria-label", head);
    select.add(new Option(`any ${head}`, ""));
    const values = new Set(rows.flatMap((row) => parts(row, column)));
    for (const value of [...values].sort()) select.add(new Option(value));
    controls.append(select);
    return { column, select };
  });
  const count = document.createElement("output");
  controls.append(count);
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const fits = (choice) =>
        !choice.select.value || parts(row, choice.column).includes(choice.select.value);
      row.hidden = !(wanted.every((word) => text.includes(word)) && chosen.every(fits));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = `${shown} measures`;
  };
  controls.addEventListener("input", filter);
  filter();
});
