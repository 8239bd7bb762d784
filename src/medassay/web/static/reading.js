// What stands before and beside an answer: question, conversation, and what the answer is held
// against. Nothing here is a system's name, a score or another rater's word.

import { h, t } from "./dom.js";
import { saidBy } from "./laid.js";

const NO_QUESTION = "(The question is not held.)"; // what the room keeps in its place

const words = (text) => h("p", { class: "words", dir: "auto" }, text);

/** Show the turns of a conversation; those of a system are noted in `all`, where they are laid out. */
export function turnsOf(turns, all) {
  return h(
    "ol",
    { class: "turns" },
    turns.map((turn) =>
      h(
        "li",
        { class: turn.role === "system" ? "by-system" : "by-user" },
        h("span", { class: "who" }, t(turn.role === "system" ? "read.system" : "read.user")),
        saidBy(turn.text, turn.layout, all),
      ),
    ),
  );
}

function document_(one) {
  const title = one.title || (one.text ? "" : t("read.untitled", { id: one.id }));
  return h(
    "li",
    { id: `document-${one.id}`, class: "document" },
    h("span", { class: "number" }, one.id),
    h("div", {}, title ? h("h3", { dir: "auto" }, title) : null, one.text ? words(one.text) : null),
  );
}

function sentence(one) {
  return h(
    "li",
    { id: `sentence-${one.id}`, class: "sentence" },
    h("span", { class: "number" }, one.id),
    h("span", { class: "words", dir: "auto" }, one.text),
  );
}

function part(title, content) {
  return content ? h("section", { class: "part" }, h("h2", {}, title), content) : null;
}

/**
 * Build what stands before and beside an answer.
 *
 * `head` is the question; `evidence` what the answer is held against, null where there is nothing;
 * `light` lights sentences and documents by their id and brings the first into view.
 */
export function readingOf(shown) {
  const list = (kind, all, one) => (all.length ? h("ol", { class: kind }, all.map(one)) : null);
  const parts = [
    part(t("read.narrative"), shown.narrative ? words(shown.narrative) : null),
    part(t("read.sentences"), list("sentences", shown.evidence, sentence)),
    part(t("read.retrieved"), list("documents", shown.retrieved, document_)),
    part(t("read.documents"), list("documents", shown.documents, document_)),
    part(
      t("read.references"),
      shown.references.length ? h("div", {}, shown.references.map(words)) : null,
    ),
  ].filter(Boolean);
  const evidence = parts.length
    ? h("aside", { class: "evidence", tabindex: "0", "aria-label": t("read.case") }, parts)
    : null;
  const head = h(
    "section",
    { class: "part question" },
    shown.turns.length
      ? [h("h2", {}, t("read.conversation")), turnsOf(shown.turns)]
      : null,
    shown.question ? [h("h2", {}, t("read.question")), words(shown.question === NO_QUESTION ? t("read.no_question") : shown.question)] : null,
    shown.options.length
      ? h("ul", { class: "options" }, shown.options.map(([letter, text]) => h("li", { dir: "auto" }, `${letter}. ${text}`)))
      : null,
    // Where it lies below a long answer, nobody knows that it is there.
    evidence ? h("button", { type: "button", class: "quiet to-evidence", onclick: () => evidence.focus() }, t("read.case"), " ↓") : null,
  );
  const texts = new Map(shown.evidence.map((one) => [one.id, one.text]));
  const places = new Map();
  for (const place of evidence?.querySelectorAll(".sentence, .document") ?? [])
    places.set(place.id.slice(place.id.indexOf("-") + 1), place);
  return {
    head,
    evidence,
    textOf: (id) => texts.get(id) ?? "",
    light(ids, { scroll = true } = {}) {
      for (const [id, place] of places) place.classList.toggle("lit", ids.includes(id));
      const first = places.get(ids[0]);
      if (first && scroll && beside(evidence)) bring(first, evidence);
    },
  };
}

/** Whether the evidence scrolls by itself, beside the answer; else the page would jump. */
function beside(pane) {
  return getComputedStyle(pane).overflowY !== "visible";
}

/** Scroll a pane, and only the pane, so that something of it is seen; its end may be covered. */
export function bring(one, pane, covered = 0) {
  const inner = one.getBoundingClientRect();
  const outer = pane.getBoundingClientRect();
  if (inner.top >= outer.top && inner.bottom <= outer.bottom - covered) return;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const top = pane.scrollTop + inner.top - outer.top - 96;
  pane.scrollTo({ top, behavior: quiet ? "auto" : "smooth" });
}
