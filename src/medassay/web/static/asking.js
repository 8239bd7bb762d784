// What is asked: one block a question, a row for each thing that it is asked about, and a large
// button for each label with its key on it.

import { h, t } from "./dom.js";
import { holds, shownAs } from "./said.js";

const SURE = [0, 25, 50, 75, 100];
const SHARE = "0-1"; // in the place of words: how sure a rater is, is a share

/**
 * Build the blocks. `task` has questions; `act` has what the blocks can do: `label`, `reason`,
 * `comment`, `sure`, `help`, `choose` (a row is made the current one).
 */
export function asksOf(task, act, options) {
  const rows = [];
  const blocks = task.questions
    .filter((question) => question.kind !== "span")
    .map((question) => {
      const many = question.about.length > 1 || question.kind !== "answer";
      const mine = question.about.map((about) => {
        const row = rowOf(question, about, act, { ...options, many, at: rows.length });
        rows.push(row);
        return row.element;
      });
      return h(
        "section",
        { class: many ? "block many" : "block", "data-dimension": question.id },
        headOf(question, act),
        mine,
      );
    });
  return { blocks, rows };
}

/** The question with its title, and the way to what its labels mean. */
export const headOf = (question, act) => [
  h(
    "header",
    {},
    h("h3", { id: `q-${question.id}` }, h("bdi", {}, question.title)),
    h("button", { type: "button", class: "quiet helper", "aria-label": `${t("help.title")}: ${question.title}`, onclick: () => act.help(question) }, h("kbd", {}, "?")),
  ),
  h("p", { class: "asks", dir: "auto" }, question.question),
];

function rowOf(question, about, act, { many, at, closed, remarks }) {
  const row = { question, about: about.about, at };
  const labels = question.labels.map((label, place) => {
    const shown = shownAs(question, label.label);
    const key = place < 9 ? String(place + 1) : null;
    return h(
      "button",
      {
        type: "button",
        class: shown === key ? "label bare" : "label",
        "aria-pressed": "false",
        title: label.description || null,
        disabled: closed,
        onclick: () => act.label(row, label.label),
      },
      key && shown !== key ? h("kbd", {}, key) : null,
      h("span", { dir: "auto" }, shown),
    );
  });
  const reasons = [
    ["cannot_judge", "0"],
    ["not_applicable", "-"],
  ].map(([reason, key]) =>
    h(
      "button",
      { type: "button", class: "label reason", "aria-pressed": "false", disabled: closed, onclick: () => (open(false), act.reason(row, reason)) },
      question.number ? null : h("kbd", {}, key),
      h("span", {}, t(`ask.${reason}`)),
    ),
  );
  const list = h("span", { class: "reasons", id: `reasons-${at}`, hidden: true }, reasons);
  const fold = h("button", { type: "button", class: "label reason fold", "aria-pressed": "false", "aria-expanded": "false", "aria-controls": list.id, disabled: closed, onclick: () => open(list.hidden) });
  const open = (now) => {
    list.hidden = !now;
    fold.setAttribute("aria-expanded", String(now));
  };
  const number = question.number ? numberOf(row, question.number, act, closed) : null;
  row.input = number?.input ?? null;
  const before = h("p", { class: "soft as-before", hidden: true }, t("ask.as_before"));
  const why = h("input", {
    class: "why",
    "aria-label": t("ask.why_not"),
    placeholder: t("ask.why_not"),
    maxlength: "2000",
    hidden: true,
    disabled: closed,
    onchange: () => act.comment(row, why.value),
    onkeydown: (event) => event.key === "Enter" && why.blur(),
  });
  const sure = sureGroup(question, closed, (said) => act.sure(row, said));
  const name = `about-${at}`;
  row.element = h(
    "div",
    {
      class: "ask",
      role: "group",
      "aria-labelledby": many ? `q-${question.id} ${name}` : `q-${question.id}`,
      onfocusin: () => act.choose(row),
      onpointerdown: () => act.choose(row),
    },
    many ? h("p", { class: "about", id: name }, h("bdi", {}, titleOf(question, about))) : null,
    number?.element,
    h("div", { class: "labels" }, labels, fold, list),
    before,
    why,
    sure?.element,
    remarks.of(question.id, about.about),
  );
  row.labels = labels;
  row.show = (given) => {
    labels.forEach((button, place) =>
      button.setAttribute("aria-pressed", String(given.label === question.labels[place].label)),
    );
    reasons.forEach((button, place) =>
      button.setAttribute("aria-pressed", String(given.reason === ["cannot_judge", "not_applicable"][place])),
    );
    fold.setAttribute("aria-pressed", String(Boolean(given.reason)));
    fold.textContent = t(given.reason ? `ask.${given.reason}` : "ask.no_label");
    number?.show(given.number);
    before.hidden = !given.carried;
    why.hidden = given.reason !== "cannot_judge";
    if (document.activeElement !== why) why.value = given.comment ?? "";
    sure?.show(given);
    row.element.classList.toggle("done", holds(given));
  };
  row.why = why;
  return row;
}

/** Say which numbers are asked for. */
function rangeOf({ low, high, unit }) {
  const ends = `${low === null ? "" : "from"}${high === null ? "" : "to"}`;
  const range = t(`ask.range_${{ fromto: "between", from: "from", to: "to" }[ends] ?? "any"}`, { low, high });
  return unit ? t("ask.in_unit", { range, unit }) : range;
}

/** A field for a number, which says what is asked for, and what is wrong. */
function numberOf(row, asked, act, closed) {
  const range = rangeOf(asked);
  const note = h("span", { class: "soft", id: `range-${row.at}`, role: "status" }, range);
  const input = h("input", {
    class: "number-said",
    inputmode: "decimal",
    autocomplete: "off",
    maxlength: "24",
    "aria-label": row.question.title,
    "aria-describedby": note.id,
    disabled: closed,
    onchange: take,
    onkeydown: (event) => event.key === "Enter" && input.blur(),
  });
  const wrong = (is) => {
    input.setAttribute("aria-invalid", String(is));
    note.classList.toggle("wrong", is);
    note.textContent = is ? t("ask.number_wrong", { range }) : range;
  };
  function take() {
    const text = input.value.trim().replace(",", ".");
    const value = Number(text);
    const fits = text !== "" && Number.isFinite(value) && value >= (asked.low ?? -Infinity) && value <= (asked.high ?? Infinity);
    wrong(!fits);
    if (fits) act.number(row, value);
  }
  return {
    input,
    element: h("div", { class: "number-asked" }, input, note),
    show(value) {
      if (document.activeElement === input) return;
      if (input.getAttribute("aria-invalid") !== "true") input.value = value ?? "";
    },
  };
}

/** Say what a row is about: a criterion's words, or the place of what is lit in the texts. */
function titleOf(question, about) {
  const [, rest = ""] = about.about.split(/:(.*)/s);
  if (question.kind === "citation") {
    const [place, id] = rest.split(/\/(.*)/s);
    return `${place} → [${id}] ${about.text}`;
  }
  if (question.kind === "statement") return `${rest}. ${about.text}`;
  if (question.kind === "document") return `[${rest}] ${about.text}`;
  return about.text;
}

/** What a rater may say of how sure they are: the rubric's words, or shares. */
const suresOf = (question) =>
  question.confidence[0] === SHARE ? SURE.map((percent) => ({ said: percent / 100, words: String(percent), named: t("ask.sure_of", { percent }) })) : question.confidence.map((word) => ({ said: word, words: shownAs(question, word), named: null }));

/** Ask how sure a rater is, where the question does; null where it does not. */
export function sureGroup(question, closed, press) {
  if (!question.confidence.length) return null;
  const sures = suresOf(question);
  const buttons = sures.map(({ said, words, named }) =>
    h("button", { type: "button", dir: "auto", "aria-pressed": "false", "aria-label": named, disabled: closed, onclick: () => press(said) }, words),
  );
  const element = h("div", { class: "sure", role: "group", "aria-label": t("ask.sure") }, h("span", { class: "soft" }, t("ask.sure")), buttons);
  return {
    element,
    show(given) {
      // Whoever cannot judge is asked nothing more.
      element.hidden = Boolean(given.reason);
      const said = Boolean(given.label) || given.number !== null;
      buttons.forEach((button, place) => {
        button.disabled = closed || !said;
        button.setAttribute("aria-pressed", String(given.confidence === sures[place].said));
      });
    },
  };
}

/** How sure that is, by the digit that is pressed with Shift; null where there is no such. */
export const sureOf = (question, digit) => suresOf(question)[digit - 1]?.said ?? null;
