// One answer: what was chosen, its text and its reasoning, with the words that decided marked where
// they stand. Each kind of mark has a line of its own shape, so that it needs no colour.
const KINDS = {
  step: ["Steps", "step", "missing: "],
  document: ["Documents", "document", "not referred to: "],
  fault: ["Faults", "fault", ""],
  danger: ["Flags", "flag, not a verdict", "about what is not there: "],
  claim: ["Claims", "claim", ""],
};

const LAID = new Set("p ul ol li blockquote pre code table thead tbody tr th td em strong del hr address".split(" "));

const STATUS = {
  empty: "empty answer",
  "not held": "text not held",
  "never answered": "no answer was given",
};

function answerInside(all, item, answer, make) {
  const [, status, text, , , , choice, confidence, reasoning, retrieved, marks, more, [textLaid, reasoningLaid]] = answer;
  const dd = make("dd");
  if (status !== "given") {
    dd.append(make("span", STATUS[status], "missing"));
  }
  const found = numbered(marks);
  const paragraph = (name, given, part, layout) => {
    if (!given) return;
    if (layout) {
      if (name) dd.append(make("p", name, "part"));
      const laid = make("div", "", "laid");
      laid.dir = "auto";
      laid.append(...laidOut(given, layout, part, found, make));
      dd.append(laid);
    }
    const p = make("p", "", found.some((one) => one.places.length) ? "marked" : "");
    p.dir = "auto";
    if (layout) p.classList.add("as-written");
    if (name && !layout) p.append(make("span", `${name} `, "part"));
    p.append(layout ? marked(given, part, found, make, []) : marked(given, part, found, make));
    dd.append(p);
  };
  if (choice !== null) chosenInside(dd, item, choice, confidence, found, make);
  paragraph("", text, "text", textLaid);
  paragraph("Reasoning", reasoning, "reasoning", reasoningLaid);
  if (retrieved.length) {
    const named = retrieved.map((id) => (item.d.includes(id) ? `${id} (relevant)` : id)).join(" · ");
    const p = make("p");
    p.append(make("span", "Retrieved ", "part"), named);
    if (more) p.append(` and ${more} more`);
    dd.append(p);
  }
  if (found.length) dd.append(keyInside(found, make));
  if (all.partly && reasoning && !found.some((one) => one.kind === "step")) {
    dd.append(make("p", "This chain is not among those that were read again for their words.", "missing"));
  }
  return dd;
}

function chosenInside(dd, item, choice, confidence, found, make) {
  const p = make("p", "", "chosen");
  p.append("Chose ", make("b", choice));
  const option = item.o[choice];
  if (option) p.append(" ", marked(option, "choice", found, make));
  if (item.g !== null) p.append(choice === item.g ? ", which is right" : `, where ${item.g} is right`);
  if (confidence !== null) p.append(`; confidence ${printed(confidence, 2, true)}`);
  dd.append(p);
}

// Findings in reading order; those with a place have a number.
function numbered(marks) {
  let number = 0;
  return marks.map(([kind, of, says, places]) => ({
    kind, of, says, places, number: places.length ? (number += 1) : 0,
  }));
}

// Places are counted in characters, which are not always one unit of a JavaScript string.
function placesIn(part, found) {
  return found.flatMap((one) => one.places
    .filter(([own]) => own === part)
    .map(([, start, end]) => ({ one, start, end, begins: true, ends: true })));
}

function marked(text, part, found, make, strong = emphasised(text)) {
  const characters = Array.from(text);
  return stretch(characters, [0, characters.length], placesIn(part, found), strong, make);
}

// An answer as its Markdown means it: elements of a closed list with slices of the text in them.
function laidOut(text, layout, part, found, make) {
  const characters = Array.from(text);
  const places = placesIn(part, found);
  const leaves = [];
  const collect = (nodes) => nodes.forEach((node) => (typeof node[0] === "number" ? leaves.push(node) : collect(node.slice(1))));
  collect(layout);
  const over = ([start, end], place) => place.start < end && start < place.end;
  const outer = places.map((place) => leaves.filter((leaf) => over(leaf, place)));
  const leafInside = (leaf) => {
    const [start, end, shown] = leaf;
    const own = places.map((place, nth) => ({
      ...place,
      start: Math.max(place.start, start),
      end: Math.min(place.end, end),
      begins: outer[nth][0] === leaf,
      ends: outer[nth].at(-1) === leaf,
    })).filter((place) => place.start < place.end);
    if (shown === undefined) return stretch(characters, [start, end], own, [], make);
    const letters = Array.from(shown);
    return stretch(letters, [0, letters.length], own.map((place) => ({ ...place, start: 0, end: letters.length })), [], make);
  };
  const nodeInside = (node) => {
    if (typeof node[0] === "number") return leafInside(node);
    const [name, more = ""] = node[0].split(".");
    const heading = /^h([1-6])$/.exec(name);
    if (!heading && !LAID.has(name)) throw new Error(`no part of a page: ${name}`);
    const tag = heading ? `h${Math.min(Number(heading[1]) + 3, 6)}` : name === "address" ? "span" : name === "th" && node.length === 1 ? "td" : name;
    const element = make(tag, "", name === "address" ? "address" : name === "ol" ? "" : more);
    if (name === "ol") element.start = Number(more);
    element.append(...node.slice(1).map(nodeInside));
    if (name !== "table") return element;
    const region = make("div", "", "laid-table");
    region.tabIndex = 0;
    region.setAttribute("role", "region");
    region.setAttribute("aria-label", "Table in the answer");
    region.append(element);
    return region;
  };
  return layout.map(nodeInside);
}

function stretch(characters, [from, to], places, strong, make) {
  const edges = [...new Set([from, to, ...strong.flat(), ...places.flatMap((p) => [p.start, p.end])])].sort((a, b) => a - b);
  const piece = document.createDocumentFragment();
  edges.slice(0, -1).forEach((start, i) => {
    const end = edges[i + 1];
    places.filter((p) => p.begins && p.start === start).forEach((p) => {
      piece.append(make("span", `[mark ${p.one.number} begins] `, "aside-only"));
    });
    const over = places.filter((p) => p.start <= start && p.end >= end).map((p) => p.one);
    const set = strong.find(([first, , , last]) => first <= start && end <= last);
    const bare = set && (end <= set[1] || start >= set[2]) ? "" : characters.slice(start, end).join("");
    let inner = set && bare ? make("strong", bare) : document.createTextNode(bare);
    [...new Set(over.map((one) => one.kind))].forEach((kind) => {
      const mark = make("mark", "", kind);
      mark.dataset.detail = over.map((one) => `${one.number}. ${told(one)}`).join("\n");
      mark.append(inner);
      inner = mark;
    });
    piece.append(inner);
    places.filter((p) => p.ends && p.end === end).forEach((p, nth) => {
      const number = make("sup", nth ? "," : "");
      number.append(make("span", " [mark ", "aside-only"), String(p.one.number), make("span", ` ends: ${told(p.one)}]`, "aside-only"));
      piece.append(number);
    });
  });
  return piece;
}

// Where Markdown sets words in bold: where the stars begin, the words, the stars again, and the end.
function emphasised(text) {
  return [...text.matchAll(/\*\*(?=\S)([^*\n]*\S)\*\*/g)].map((found) => {
    const first = Array.from(text.slice(0, found.index)).length;
    const begin = first + 2;
    const close = begin + Array.from(found[1]).length;
    return [first, begin, close, close + 2];
  });
}

function told(one) {
  return `${KINDS[one.kind][1]}: ${one.says}${one.kind === "danger" ? ` (${one.of})` : ""}`;
}

function keyInside(found, make) {
  const key = make("dl", "", "key");
  Object.entries(KINDS).forEach(([kind, [name, , without]]) => {
    const own = found.filter((one) => one.kind === kind);
    if (!own.length) return;
    const dt = make("dt");
    dt.append(make("mark", name, kind));
    const dd = make("dd");
    own.forEach((one) => {
      const line = make("span", "", one.number ? "" : "missing");
      if (one.number) line.append(make("sup", String(one.number)), " ");
      else line.append(without);
      line.append(one.says);
      if (kind === "danger") line.append(" ", make("small", `rule ${one.of}; for review, not a verdict`));
      dd.append(line);
    });
    key.append(dt, dd);
  });
  return key;
}
