// The cases: a light line each, filled when it is opened. Text is only ever put in as text.
(() => {
  const list = document.getElementById("case-list");
  if (!list) return;
  const all = data("case-data");
  const field = (name) => document.getElementById(`f-${name}`);
  const form = document.getElementById("case-filters");
  const more = document.getElementById("case-more");
  const FIRST = 10;
  const STEP = 200;
  let chosen = [];
  let shown = 0;

  function make(tag, text = "", className = "") {
    const element = document.createElement(tag);
    if (text) element.textContent = text;
    if (className) element.className = className;
    return element;
  }
  function option(select, value, text) {
    const made = make("option", text);
    made.value = value;
    select.append(made);
  }
  const title = (system) => (typeof system === "number" ? all.systems[system][1] : system);

  // What a case is searched by and ordered by, found once.
  all.cases.forEach((item, place) => {
    item.place = place;
    item.words = null;
  });
  function wordsOf(item) {
    item.words ??= [item.id, item.q, item.n, ...item.e, ...item.r, ...Object.values(item.o), ...item.a.flatMap((a) => [a[2], a[8]])]
      .filter(Boolean).join("\n").toLowerCase();
    return item.words;
  }

  all.systems.forEach(([id, name], i) => option(field("system"), i, name));
  const tags = new Set();
  all.cases.forEach((item) => Object.entries(item.t).forEach((tag) => tags.add(tag.join(": "))));
  [...tags].sort().forEach((tag) => option(field("tag"), tag, tag));
  const judged = new Set(all.cases.flatMap((item) => item.a.flatMap((a) => a[4].map((j) => j[0]))));
  all.dimensions.forEach(([id, name], i) => { if (judged.has(i)) option(field("dimension"), i, name); });
  option(field("order"), "", "as in the study");
  option(field("order"), "id", "by id");
  all.sources.forEach(([name, text], i) => {
    option(field("order"), `${i}-`, `${text}, lowest first`);
    option(field("order"), `${i}+`, `${text}, highest first`);
  });
  // Where every case ranks there is nothing to mark or to choose.
  const ranked = all.cases.some((item) => !item.rank);
  if (!ranked) field("rank").parentElement.hidden = true;
  for (const [kind, empty] of [["tag", !tags.size], ["dimension", !judged.size]]) {
    document.querySelectorAll(`[data-filter=${kind}]`).forEach((part) => { part.hidden = empty; });
  }

  function fillLabels() {
    const dimension = field("dimension").value;
    const labels = field("label");
    labels.replaceChildren();
    option(labels, "", "anything");
    labels.disabled = dimension === "";
    if (labels.disabled) return;
    const given = new Set(all.cases.flatMap((item) => item.a.flatMap((a) => a[4]
      .filter((j) => j[0] === Number(dimension)).map((j) => j[1] ?? j[2]))));
    const known = all.labels[dimension].filter((label) => given.delete(label));
    [...known, ...given].forEach((label) => option(labels, label, label));
  }

  const answersOf = (item) => {
    const system = field("system").value;
    return system === "" ? item.a : item.a.filter((a) => a[0] === Number(system));
  };

  function fits(item) {
    const text = field("text").value.trim().toLowerCase();
    const tag = field("tag").value;
    const dimension = field("dimension").value;
    const label = field("label").value;
    if (field("rank").checked && !item.rank) return false;
    if (tag && !Object.entries(item.t).some((pair) => pair.join(": ") === tag)) return false;
    const answers = answersOf(item);
    if (!answers.length) return false;
    if (dimension !== "" && !answers.some((a) => a[4].some((j) =>
      j[0] === Number(dimension) && (label === "" || (j[1] ?? j[2]) === label)))) return false;
    return !text || wordsOf(item).includes(text);
  }

  function ordered(items) {
    const order = field("order").value;
    if (order === "") return items;
    const collator = new Intl.Collator("en", { numeric: true });
    if (order === "id") return [...items].sort((a, b) => collator.compare(a.id, b.id));
    const [source, up] = [parseInt(order, 10), order.endsWith("+")];
    const keys = new Map(items.map((item) => {
      const values = answersOf(item).map((a) => a[3][source]).filter((v) => typeof v === "number");
      return [item, values.length ? (up ? Math.max(...values) : Math.min(...values)) : null];
    }));
    return [...items].sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === null || y === null) return (x === null) - (y === null) || a.place - b.place;
      return (up ? y - x : x - y) || a.place - b.place;
    });
  }

  function line(item) {
    const box = make("details", "", "case");
    box.id = `case-${item.id}`;
    const head = make("summary");
    const snippet = make("span", "", "snippet");
    snippet.append(marked((item.q || item.n || item.r[0] || "").slice(0, 240), "", [], make));
    snippet.dir = "auto";
    head.append(make("span", item.id, "case-id"), snippet,
      make("span", ranked && item.rank ? "ranking case" : "", "flag"));
    box.append(head);
    box.addEventListener("toggle", () => {
      if (box.open && box.children.length === 1) box.append(caseInside(all, item, answersOf(item), make, title));
    });
    return box;
  }

  function extend(until) {
    const target = Math.min(chosen.length, until);
    const piece = document.createDocumentFragment();
    for (; shown < target; shown += 1) piece.append(line(chosen[shown]));
    list.append(piece);
    more.hidden = shown >= chosen.length;
    more.textContent = `Show ${Math.min(STEP, chosen.length - shown)} more`;
  }

  function refresh() {
    chosen = ordered(all.cases.filter(fits));
    list.replaceChildren();
    shown = 0;
    extend(FIRST);
    const count = document.getElementById("case-count");
    count.textContent = chosen.length
      ? `${chosen.length.toLocaleString("en-GB")} of ${all.cases.length.toLocaleString("en-GB")} cases`
      : `None of ${all.cases.length} cases fits all filters.`;
  }

  function clear() {
    form.reset();
    fillLabels();
    refresh();
  }

  function follow() {
    let id;
    try { id = decodeURIComponent(location.hash); } catch { return; }
    if (!id.startsWith("#case-")) return;
    const find = () => chosen.findIndex((item) => item.id === id.slice(6));
    if (find() < 0 && all.cases.some((item) => item.id === id.slice(6))) clear();
    if (find() < 0) return;
    extend(Math.max(shown, find() + 1));
    const box = document.getElementById(id.slice(1));
    box.open = true;
    box.scrollIntoView();
    box.querySelector("summary").focus({ preventScroll: true });
  }

  // A mark of the first screen leads to its answers: of a system, with a label, of one case.
  function seek(sought) {
    form.reset();
    const at = (known, name) => { const found = known.findIndex(([id]) => id === name); return found < 0 ? "" : String(found); };
    field("system").value = at(all.systems, sought.get("system"));
    field("dimension").value = at(all.dimensions, sought.get("dimension"));
    if (field("dimension").selectedIndex < 0) field("dimension").value = "";
    fillLabels();
    if (field("dimension").value !== "") field("label").value = sought.get("label") || "";
    if (field("label").selectedIndex < 0) field("label").value = "";
    refresh();
  }
  document.addEventListener("click", (event) => {
    const mark = event.target.closest && event.target.closest("[data-sought]");
    if (mark) seek(new URLSearchParams(mark.dataset.sought));
  }, true);

  let waiting;
  const later = () => { clearTimeout(waiting); waiting = setTimeout(refresh, 120); };
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", (event) => {
    if (event.target === field("dimension")) fillLabels();
    if (event.target === field("text")) later();
    else refresh();
  });
  field("clear").addEventListener("click", clear);
  more.addEventListener("click", () => extend(shown + STEP));
  window.addEventListener("hashchange", follow);
  fillLabels();
  refresh();
  follow();
})();
