// The topics of a report. Whatever the data hold is put into the page as text.

const data = JSON.parse(document.getElementById("data").textContent);
const FEW = 8; // systems whose values have room as numbers
const BESIDE = 12; // rows that are made above and below the window
const PRINTED = 25;
const WHOLE = 8000; // elements of rows that are made at once, for pictures of the page and the browser's search

const make = (tag, facts = {}, ...parts) => {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(facts)) {
    if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) found.setAttribute(name, value === true ? "" : value);
  }
  found.append(...parts);
  return found;
};
const draw = (tag, facts) => {
  const found = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(facts)) found.setAttribute(name, value);
  return found;
};
const digits = (value, n = 4) => (value === null ? "-" : value.toFixed(n));
const choice = (label, names, first) => {
  const select = make("select", { onchange: () => filter() });
  select.append(make("option", { value: "" }, first), ...names.map((name, i) => make("option", { value: i }, name)));
  return [make("label", {}, `${label} `, select), select];
};

// Facts of each topic in the measure that is shown.
let facts, highest, order;
const measured = () => {
  const { values, loss, order: best } = data.measures[shownMeasure()];
  order = best;
  highest = Math.max(...values.flat().filter((value) => value !== null), 0) || 1;
  facts = values.map((row, topic) => {
    const known = row.filter((value) => value !== null);
    const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [null, null];
    const first = loss ? low : high;
    return {
      topic,
      row,
      winners: known.length ? row.flatMap((value, run) => (value === first ? [run] : [])) : [],
      mean: known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null,
      spread: known.length ? high - low : null,
    };
  });
  const means = facts.map((fact) => fact.mean ?? NaN).filter((mean) => !isNaN(mean));
  means.sort((a, b) => (loss ? b - a : a - b));
  const place = new Map(means.map((mean, i) => [mean, Math.floor((3 * i) / means.length)]));
  for (const fact of facts) fact.third = place.get(fact.mean);
};
const winner = ({ winners }) => {
  if (winners.length < 2) return winners.length ? data.runs[winners[0]] : "-";
  return winners.length === data.runs.length ? "all equal" : `${winners.length} equal`;
};

const part = document.getElementById("explorer");
const names = data.runs.length > 1 ? data.runs : [];
const search = make("input", { type: "search", oninput: () => filter() });
const [bestLabel, best] = choice("Best", names, "any system");
const groups = data.groups ? [...new Set(data.groups)].filter((group) => group) : [];
const [groupLabel, group] = choice("Group", groups, "any");
const [thirdLabel, third] = choice("Difficulty", ["hardest third", "middle third", "easiest third"], "any");
const status = make("span", { role: "status" });
part.append(
  make(
    "div",
    { class: "controls" },
    make("label", {}, "Search ", search),
    ...(names.length ? [bestLabel] : []),
    ...(groups.length ? [groupLabel] : []),
    thirdLabel,
    status,
  ),
);

const KEYS = {
  topic: (fact) => data.topics[fact.topic],
  best: winner,
  mean: (fact) => fact.mean,
  spread: (fact) => fact.spread,
};
let sorted = { key: data.runs.length > 1 ? "spread" : "mean", down: data.runs.length > 1 };
const heads = new Map();
const head = (key, words, kind) => {
  const cell = make("th", { scope: "col", class: kind }, make("button", { type: "button", onclick: () => sort(key) }, words));
  heads.set(key, cell);
  return cell;
};
const strip = make("th", { scope: "col" });
const body = make("tbody");
const table = make(
  "table",
  { class: "topics" },
  make("caption", {}, "A click on a topic, or Enter, shows its rankings; j and k walk on, and o closes them."),
  make(
    "thead",
    {},
    make(
      "tr",
      {},
      head("topic", "Topic", "at"),
      strip,
      head("best", "Best", "who more"),
      head("mean", "Mean", "num more"),
      head("spread", "Spread", "num"),
    ),
  ),
  body,
);
part.append(table);
const fill = () => make("tr", { "aria-hidden": "true" }, make("td", { class: "fill" }));
const [above, below] = [fill(), fill()];

const bars = (fact) => {
  const said = order.map((run) => `${data.runs[run]} ${digits(fact.row[run])}`).join(", ");
  if (data.runs.length <= FEW) {
    return make(
      "div",
      { class: "strip", title: said },
      ...order.map((run) => {
        const value = fact.row[run];
        const won = fact.winners.length < data.runs.length && fact.winners.includes(run);
        const cell = make("span", { class: won && "first" }, digits(value, 2).replace(/^0\./, ".").replace("1.00", "1"));
        cell.style.backgroundSize = `100% ${(100 * Math.max(value ?? 0, 0)) / highest}%`;
        return cell;
      }),
    );
  }
  const picture = draw("svg", { viewBox: `0 0 ${order.length} 1`, preserveAspectRatio: "none", role: "img", "aria-label": said });
  for (const first of [false, true]) {
    const shapes = order.map((run, i) => {
      const height = Math.max(fact.row[run] ?? 0, 0) / highest;
      return fact.winners.includes(run) === first ? `M${i} 1h.9v-${height.toFixed(3)}h-.9z` : "";
    });
    picture.append(draw("path", { d: shapes.join(""), class: first ? "first" : "other" }));
  }
  const holder = make("div", { class: "strip", title: said });
  holder.append(picture);
  return holder;
};

// The rows that are looked at, or all if they are few; `made` holds them by their place in `shown`.
let shown = [];
let open = null;
let panel = null;
let panelHeight = 0;
let printing = 0; // rows to print
let whole = false; // whether all rows are made, looked at or not
const made = new Map();
let height = 36;

const row = (place) => {
  const fact = shown[place];
  const name = data.topics[fact.topic];
  const query = data.queries?.[fact.topic];
  const button = make(
    "button",
    { type: "button", "aria-expanded": String(fact.topic === open), "data-topic": fact.topic },
    name,
  );
  return make(
    "tr",
    { class: "topic", "aria-rowindex": place + 2, onclick: () => toggle(fact.topic) },
    make("th", { scope: "row", title: query ? `${name} ${query}` : name }, button, ...(query ? [make("span", { class: "query" }, query)] : [])),
    make("td", {}, bars(fact)),
    make("td", { class: "more" }, winner(fact)),
    make("td", { class: "more" }, digits(fact.mean)),
    make("td", {}, digits(fact.spread)),
  );
};

const place = () => shown.findIndex((fact) => fact.topic === open);
const update = () => {
  const opened = place();
  if (panel?.isConnected) panelHeight = panel.offsetHeight;
  const extra = opened < 0 ? 0 : panelHeight;
  let from = scrollY - (above.getBoundingClientRect().top + scrollY);
  if (opened >= 0 && from > (opened + 1) * height) from = Math.max((opened + 1) * height, from - extra);
  const first = printing || whole ? 0 : Math.max(0, Math.min(shown.length, Math.floor(from / height)) - BESIDE);
  const seen = Math.max(0, Math.ceil((from + innerHeight) / height));
  const stop = Math.min(shown.length, printing || (whole ? shown.length : seen + BESIDE));
  for (const [at, found] of made) {
    if (at < first || at >= stop) {
      found.remove();
      made.delete(at);
    }
  }
  let next = above.nextSibling;
  for (let at = first; at < stop; at++) {
    if (!made.has(at)) made.set(at, row(at));
    if (made.get(at) === next) next = next.nextSibling;
    else body.insertBefore(made.get(at), next);
    if (at !== opened) continue;
    if (panel === next) next = next.nextSibling;
    else body.insertBefore(panel, next);
  }
  const inside = opened >= first && opened < stop;
  if (!inside) panel?.remove();
  const hidden = printing ? [0, 0] : [first * height, Math.max(0, shown.length - stop) * height];
  if (opened >= 0 && !inside) hidden[opened < first ? 0 : 1] += extra;
  [above, below].forEach((line, i) => (line.firstChild.style.height = `${hidden[i]}px`));
};
const columns = () => [...table.rows[0].cells].filter((cell) => cell.offsetWidth).length;
const redraw = () => {
  for (const line of [above, below, panel]) if (line) line.firstChild.colSpan = columns();
  made.clear();
  body.replaceChildren(above, below);
  update();
  height = made.values().next().value?.offsetHeight || height;
  update();
};

const filter = () => {
  const wanted = search.value.toLocaleLowerCase();
  shown = facts.filter(
    (fact) =>
      (!wanted || `${data.topics[fact.topic]} ${data.queries?.[fact.topic] ?? ""}`.toLocaleLowerCase().includes(wanted)) &&
      (!best.value || fact.winners.includes(Number(best.value))) &&
      (!group.value || data.groups[fact.topic] === groups[group.value]) &&
      (!third.value || fact.third === Number(third.value)),
  );
  const key = KEYS[sorted.key];
  const turn = sorted.down ? -1 : 1;
  shown.sort((a, b) => {
    const [left, right] = [key(a), key(b)];
    if (typeof left === "string") return turn * left.localeCompare(right, undefined, { numeric: true });
    return (left === null) - (right === null) || turn * (left - right);
  });
  for (const [name, cell] of heads) {
    if (name === sorted.key) cell.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  }
  whole = shown.length > 0 && shown.length * (1 + row(0).querySelectorAll("*").length) <= WHOLE;
  table.setAttribute("aria-rowcount", shown.length + 1);
  const all = data.topics.length;
  status.textContent = shown.length === all ? `${all} topics` : `${shown.length} of ${all} topics`;
  if (place() < 0) show(null);
  redraw();
};
const sort = (key) => {
  const numbers = key === "mean" || key === "spread";
  sorted = { key, down: key === sorted.key ? !sorted.down : numbers };
  filter();
};

// The rankings of a topic.
let beside = null;
let unfolded = false;
const rankings = (topic) => {
  const found = data.rankings[topic];
  const { row } = facts[topic];
  const most = innerWidth < 720 ? 2 : 4;
  const chosen = beside ?? [...new Set([0, facts[topic].winners[0] ?? 0, ...order])].slice(0, data.runs.length <= most ? most : 2);
  const toggles = order.map((run) =>
    make(
      "button",
      {
        type: "button",
        "aria-pressed": String(chosen.includes(run)),
        onclick: () => {
          beside = chosen.includes(run) ? chosen.filter((other) => other !== run) : [...chosen.slice(chosen.length < most ? 0 : 1), run];
          show(topic);
          panel.querySelectorAll(".toggles button")[order.indexOf(run)].focus();
        },
      },
      data.runs[run],
      ` ${digits(row[run])}`,
    ),
  );
  const choices = make("div", { class: "controls toggles", role: "group", "aria-label": "Rankings to show" }, ...toggles);
  const holder = make("div", { class: "rankings" }, ...(found ? chosen.map((run) => ranking(found, run)) : []));
  const words = found
    ? make("p", {}, make("small", {}, `The first ${data.depth} documents; squares are grades, ? is unjudged, and lines lead to the same document.`))
    : make("p", {}, "Rankings are shown of the topics on which the systems differ most, and this is none of them.");
  const move = (words, by) => make("button", { type: "button", onclick: () => walk(by) }, words);
  return [
    make("h3", {}, data.topics[topic], ...(data.queries?.[topic] ? [make("span", { class: "query" }, data.queries[topic])] : [])),
    make("div", { class: "controls" }, move("Previous", -1), move("Next", 1), make("button", { type: "button", onclick: () => toggle(topic) }, "Close"), ...(data.groups?.[topic] ? [`Group: ${data.groups[topic]}`] : [])),
    data.runs.length > FEW
      ? make("details", { open: unfolded, ontoggle: ({ target }) => (unfolded = target.open) }, make("summary", {}, "Systems"), choices)
      : choices,
    words,
    holder,
  ];
};
const ranking = (found, run) => {
  const most = Math.max(1, ...found.grades);
  return make(
    "section",
    { "aria-label": data.runs[run] },
    make("h4", {}, data.runs[run]),
    make(
      "ol",
      {},
      ...found.ranked[run].map((at, i) => {
        const grade = found.grades[at];
        const level = grade === null ? "unjudged" : `g${grade > 0 ? Math.max(1, Math.ceil((3 * grade) / most)) : 0}`;
        const text = found.texts?.[at];
        const [title, words] = text ?? ["", ""];
        return make(
          "li",
          { "data-document": at },
          make("span", { class: "rank" }, String(i + 1)),
          make("span", { class: `grade ${level}`, title: grade === null ? "unjudged" : `grade ${grade}` }, grade === null ? "?" : String(grade)),
          make(
            "div",
            {},
            found.docnos[at],
            ...(title ? [make("p", {}, make("strong", {}, title))] : []),
            ...(words ? [make("p", { class: "text" }, words)] : []),
            ...(found.texts && !text ? [make("p", {}, make("small", {}, "(not in the documents)"))] : []),
          ),
        );
      }),
    ),
  );
};
// Join the places of a document in rankings side by side.
const join = () => {
  const holder = panel?.querySelector(".rankings");
  if (!holder) return;
  holder.querySelector("svg")?.remove();
  const picture = draw("svg", { "aria-hidden": "true" });
  const { left, top } = holder.getBoundingClientRect();
  const lists = [...holder.querySelectorAll("ol")].map((list) => new Map([...list.children].map((item) => [item.dataset.document, item])));
  for (const [i, list] of lists.slice(1).entries()) {
    for (const [document, item] of list) {
      const before = lists[i].get(document);
      if (!before) continue;
      const ranks = [before, item].map((one) => [...one.parentNode.children].indexOf(one));
      const [from, to] = [before.getBoundingClientRect(), item.getBoundingClientRect()];
      const [start, stop] = [from.right - left, to.left - left];
      const [y, end] = [from.top + 14 - top, to.top + 14 - top];
      const middle = (start + stop) / 2;
      const way = ranks[1] < ranks[0] ? "up" : ranks[1] > ranks[0] ? "down" : "same";
      picture.append(draw("path", { d: `M${start} ${y}C${middle} ${y} ${middle} ${end} ${stop} ${end}`, class: way }));
    }
  }
  holder.append(picture);
};
const sizes = new ResizeObserver(join);

const show = (topic) => {
  panel?.remove();
  panel = null;
  open = topic;
  if (topic === null) return;
  panel = make("tr", { class: "open" }, make("td", { colspan: columns() }, ...rankings(topic)));
  panel.addEventListener("mouseover", ({ target }) => {
    const at = target.closest("li")?.dataset.document;
    panel?.querySelectorAll("li").forEach((item) => item.classList.toggle("alike", item.dataset.document === at));
  });
  sizes.disconnect();
  sizes.observe(panel.querySelector(".rankings"));
  if (place() < 0) return;
  update();
  join();
};
const address = () => {
  const name = open === null ? "" : `#topic=${encodeURIComponent(data.topics[open])}`;
  history.replaceState(null, "", name || location.pathname + location.search);
};
// Open a topic, or close it, and keep the row where it is seen.
const toggle = (topic) => {
  show(topic === open ? null : topic);
  redraw();
  address();
  focus(topic);
};
const focus = (topic) => {
  const at = shown.findIndex((fact) => fact.topic === topic);
  if (at < 0) return;
  if (!made.has(at)) {
    const start = above.getBoundingClientRect().top + scrollY;
    scrollTo(0, start + at * height - 40);
    update();
  }
  const button = made.get(at).querySelector("button");
  button.focus({ preventScroll: true });
  const { top, bottom } = made.get(at).getBoundingClientRect();
  if (top < 0 || bottom > innerHeight - 200) scrollBy(0, top - 40);
  update();
};
const walk = (by) => {
  const current = document.activeElement?.dataset?.topic;
  const from = place() >= 0 ? place() : shown.findIndex((fact) => String(fact.topic) === current);
  const next = shown[Math.max(0, Math.min(shown.length - 1, from + by))];
  if (next && next.topic !== open) toggle(next.topic);
};
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, select, textarea")) return;
  if (event.key === "j") walk(1);
  else if (event.key === "k") walk(-1);
  else if ((event.key === "o" || event.key === "Escape") && open !== null) toggle(open);
  else if (event.key === "o") walk(document.activeElement?.dataset?.topic ? 0 : 1);
});

const addressed = () => {
  const found = /^#topic=(.*)$/.exec(location.hash);
  if (!found) return;
  let name = found[1];
  try {
    name = decodeURIComponent(name);
  } catch {
    // An address with a stray % names the topic as it is.
  }
  const topic = data.topics.indexOf(name);
  if (topic >= 0 && topic !== open) {
    if (!shown.some((fact) => fact.topic === topic)) {
      search.value = best.value = group.value = third.value = "";
      filter();
    }
    toggle(topic);
  }
};
const measureAgain = () => {
  measured();
  const few = data.runs.length <= FEW;
  strip.replaceChildren(
    few ? make("div", { class: "strip" }, ...order.map((run) => make("span", { title: data.runs[run] }, data.runs[run]))) : "Values by system, best mean first",
  );
  filter();
  if (open !== null) show(open);
};
measure?.addEventListener("change", measureAgain);
addEventListener("hashchange", addressed);
addEventListener("scroll", update, { passive: true });
addEventListener("resize", redraw);
addEventListener("beforeprint", () => {
  printing = Math.min(PRINTED, shown.length);
  redraw();
});
addEventListener("afterprint", () => {
  printing = 0;
  redraw();
});
measureAgain();
addressed();
