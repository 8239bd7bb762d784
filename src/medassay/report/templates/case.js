// One opened case: what was asked, what each system answered, scores and ratings.
// A heading of more letters takes a wider column rather than many lines.
const LONG = 24;

function printed(value, decimals) {
  const text = Math.abs(value).toFixed(decimals);
  const negative = value < 0 && Number(text) !== 0;
  return (negative ? "−" : "") + text;
}

function quoted(value) {
  const text = value === null || value === undefined ? "" : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function caseInside(all, item, answers, make, title) {
  const inside = make("div", "", "inside");
  const told = make("dl", "", "told");
  const tell = (name, texts, className = "") => {
    if (!texts.length) return;
    const dd = make("dd");
    texts.forEach((text) => {
      const p = make("p");
      p.dir = "auto";
      p.append(typeof text === "string" ? marked(text, "", [], make) : text);
      dd.append(p);
    });
    told.append(make("dt", name, className), dd);
  };
  const link = make("a", `#case-${item.id}`);
  link.href = `#case-${encodeURIComponent(item.id)}`;
  const tags = Object.entries(item.t).map((pair) => pair.join(": ")).join(" · ");
  const bare = all.texts === "full" && !item.q && !item.n && !item.e.length && !Object.keys(item.o).length;
  tell("Question", item.q ? [item.q] : bare ? ["not held"] : []);
  tell("Narrative", item.n ? [item.n] : []);
  const options = Object.entries(item.o);
  tell("Options", options.map(([letter, text]) => `${letter}. ${text}${letter === item.g ? " (right)" : ""}`));
  tell("Evidence", item.e);
  tell(item.r.length > 1 ? "References" : "Reference", item.r);
  if (tags) tell("Tags", [tags]);
  tell("Address", [link]);
  inside.append(told);

  const given = make("dl", "", "told");
  answers.forEach((answer) => {
    const dd = answerInside(all, item, answer, make);
    if (dd.childNodes.length) given.append(make("dt", title(answer[0]), "system"), dd);
  });
  if (given.children.length) inside.append(make("h3", "Answers"), given);
  if (given.querySelector(".laid")) given.before(writtenButton(given, make));
  const checked = statementsInside(all, answers, make, title);
  if (checked) inside.append(checked);
  const comments = make("dl", "", "told");
  answers.forEach(([system, , , , judgements]) => judgements.filter((j) => j[4]).forEach((j) => {
    const dd = make("dd", j[4]);
    dd.dir = "auto";
    comments.append(make("dt", `${j[3]} on ${title(system)}, ${all.dimensions[j[0]][1]}`), dd);
  }));
  if (comments.children.length) {
    inside.append(make("h3", "Comments of raters"), comments);
  }
  inside.append(caseTable(all, item, answers, make, title));
  return inside;
}

// Answers as their Markdown means them, or as they were written.
function writtenButton(given, make) {
  const button = make("button", "As written", "written");
  button.type = "button";
  button.accessKey = "r";
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(given.classList.toggle("raw")));
  });
  return button;
}

// What the scores of support rest on: each statement, its verdict, and the sentence that decides.
function statementsInside(all, answers, make, title) {
  const list = make("dl", "", "told");
  answers.forEach(([system, , , , , checks]) => checks.forEach(([sources, statements]) => {
    const dt = make("dt", title(system), "system");
    dt.append(make("small", sources.map((i) => all.sources[i][1]).join(", ")));
    const told = make("ol", "", "statements");
    statements.forEach(([text, verdict, evidence, sentence, why]) => {
      const li = make("li");
      li.append(make("b", verdict));
      if (text) li.append(": ", spoken(make, text));
      if (evidence) li.append(make("span", sentence ? `by ${evidence}: ` : `by ${evidence}`, "decides"));
      if (evidence && sentence) li.lastChild.append(spoken(make, sentence));
      if (why) li.append(make("small", why));
      told.append(li);
    });
    const dd = make("dd");
    dd.append(told);
    list.append(dt, dd);
  }));
  if (!list.children.length) return null;
  const details = make("details", "", "statements");
  details.append(make("summary", "Statements, and the sentences that decide"), list);
  return details;
}

function spoken(make, text) {
  const quote = make("q");
  quote.append(marked(text, "", [], make));
  quote.dir = "auto";
  return quote;
}

function caseTable(all, item, answers, make, title) {
  const rated = all.dimensions.map((d, i) => i).filter((i) => answers.some((a) => a[4].some((j) => j[0] === i)));
  // What raters jointly say orders the cases; beside their own labels it would only repeat them.
  const scored = all.sources.map((s, i) => i).filter((i) => !all.sources[i][3] && answers.some((a) => a[3][i] !== null));
  const heads = ["System", ...rated.map((i) => all.dimensions[i][1]), ...scored.map((i) => all.sources[i][1])];
  const fields = ["system", ...rated.map((i) => all.dimensions[i][0]), ...scored.map((i) => all.sources[i][0])];
  const table = make("table");
  table.append(make("caption", `Ratings and scores of case ${item.id}`, "aside-only"));
  const row = table.createTHead().insertRow();
  heads.forEach((text, i) => {
    const th = make("th", "", i > rated.length ? "number" : "");
    th.scope = "col";
    if (text.length > LONG) th.classList.add("long");
    th.append(make("span", text.replaceAll(" = ", "\u00a0=\u00a0"), "title"));
    row.append(th);
  });
  const body = table.createTBody();
  const lines = [fields];
  answers.forEach(([system, , , values, judgements]) => {
    const tr = body.insertRow();
    const name = make("th", title(system));
    name.scope = "row";
    name.setAttribute("data-sort", title(system).toLowerCase());
    tr.append(name);
    const cells = [typeof system === "number" ? all.systems[system][0] : system];
    rated.forEach((i) => {
      const text = judgements.filter((j) => j[0] === i).map((j) => j[1] ?? j[2]).join("; ");
      const td = make("td", text || "not judged", text ? "" : "missing");
      if (text) td.setAttribute("data-sort", text.toLowerCase());
      tr.append(td);
      cells.push(text);
    });
    scored.forEach((i) => {
      const [, , decimals] = all.sources[i];
      const td = make("td", "", "number");
      if (typeof values[i] === "number") {
        td.textContent = printed(values[i], decimals);
        td.setAttribute("data-sort", values[i]);
        cells.push(values[i]);
      } else {
        const why = make("button", "none", "more missing");
        why.type = "button";
        why.dataset.detail = values[i] === null ? "Not scored." : all.reasons[Number(values[i].slice(1))];
        td.append(why);
        cells.push("");
      }
      tr.append(td);
    });
    lines.push(cells);
  });
  if (all.synthetic) lines.forEach((cells, i) => cells.push(i ? "True" : "synthetic"));
  makeSortable(table);
  const scroll = make("div", "", "scroll");
  scroll.append(table);
  const copy = make("button", "Copy CSV");
  copy.type = "button";
  copy.setAttribute("aria-label", `Copy as CSV: ratings and scores of case ${item.id}`);
  copy.addEventListener("click", () => copyCsv(copy, lines.map((cells) => `${cells.map(quoted).join(",")}\n`).join("")));
  const tools = make("p", "", "tools");
  tools.append(copy);
  const figure = make("figure", "", "table");
  const caption = make("figcaption");
  caption.append(make("b", "Ratings and scores"));
  figure.append(caption, tools, scroll);
  return figure;
}
