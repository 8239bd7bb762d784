// What a reviewer says of first answers: beside the label that it is about, and on one page.

import { button, dialog, fill, h, sends, t } from "./dom.js";
import { holds, shownAs } from "./said.js";

/** Give the words for what was said of a question, as its rater reads them. */
export function wordsOf(given, question = null) {
  if (given.label) return question ? shownAs(question, given.label) : given.label;
  if (given.reason) return t(`ask.${given.reason}`);
  return given.number === null || given.number === undefined ? "–" : String(given.number);
}

const same = (one, other) =>
  one.label === other.label && one.number === other.number && one.reason === other.reason;

const verdictOf = ({ outcome }) => h("b", {}, t(`remark.${outcome || "says"}`));

/** The reviewer's words, and what the rater did about it. */
const wordsAnd = (tag, { words, was, because }, settled, question = null) => [
  words ? h(tag, { class: "words", dir: "auto" }, words) : null,
  settled === "changed" ? h(tag, { class: "soft" }, t("remark.changed", { was: wordsOf(was, question) })) : null,
  settled === "kept" ? h(tag, { class: "soft" }, t("remark.kept", { because })) : null,
];

/**
 * The remarks on one answer. `held` is what holds of it; `act.keep` is called with a remark and why
 * it is kept.
 */
export class Remarks {
  constructor(task, held, act, closed) {
    this.held = held;
    this.act = act;
    this.closed = closed;
    this.questions = new Map(task.questions.map((question) => [question.id, question]));
    this.spans = new Set(task.questions.filter((question) => question.kind === "span").map((question) => question.id));
    this.shown = task.remarks.map((remark) => ({ remark, element: h("div", { class: "remarked" }) }));
  }

  /** Whether the rater has done something about it. */
  #settled(remark) {
    const { dimension, about, was, settled, because } = remark;
    if (dimension && (about || !this.spans.has(dimension)))
      return same(this.held.of(dimension, about), was) ? (because ? "kept" : "") : "changed";
    // Of several labels the server tells how they were.
    const changed = this.held.past.some(({ said }) => said.dimension && holds(said) && (!dimension || said.dimension === dimension));
    return changed ? "changed" : because ? "kept" : settled;
  }

  /** Whether a label has to be changed, or kept with a word. */
  open = (dimension, about) =>
    !this.closed && this.shown.some(({ remark }) => remark.dimension === dimension && (about === null || remark.about === about) && remark.outcome === "mistake" && !this.#settled(remark));

  /** The elements for one question, or one thing that it is about; null gives all of the question. */
  of(dimension, about) {
    return this.shown.filter(({ remark }) => remark.dimension === dimension && (about === null || remark.about === about)).map(({ element }) => element);
  }

  /** Show what holds now. */
  show(words) {
    for (const { remark, element } of this.shown) {
      const settled = this.#settled(remark);
      const open = remark.outcome === "mistake" && !settled && !this.closed;
      const quoted = remark.about.startsWith("span:") ? words(remark.about) : "";
      element.classList.toggle("open", open);
      fill(
        element,
        h("p", {}, verdictOf(remark), quoted ? [" ", h("q", { dir: "auto" }, quoted)] : null),
        wordsAnd("p", remark, settled, this.questions.get(remark.dimension)),
        open ? h("p", { class: "row" }, h("span", { class: "soft" }, t("remark.change_or")), h("button", { type: "button", onclick: () => this.#keep(remark) }, t("remark.keep"))) : null,
      );
    }
  }

  /** What was kept is open again. */
  undo({ dimension = "", about = "" }) {
    for (const { remark } of this.shown) if (remark.dimension === dimension && remark.about === about) remark.because = "";
  }

  #keep(remark) {
    const because = h("textarea", { rows: "3", "aria-label": t("remark.why"), maxlength: "2000", dir: "auto" });
    const box = dialog(t("remark.why"), t("ask.keep"), because);
    box.addEventListener("close", () => {
      if (!because.value.trim()) return;
      remark.because = because.value.trim();
      this.act.keep(remark);
    });
    because.focus();
  }
}

/** One page with all remarks: sent back, to be looked at and handed in again; or passed. */
export function reviewed(room, now) {
  const again = now.standing === "again";
  const open = (remark) => remark.outcome === "mistake" && !remark.settled;
  const left = now.remarks.filter(open).length;
  const told = (remark) => [
    h("span", { class: "over" }, t("review.answer", { number: remark.position }), remark.title ? ` · ${remark.title}` : "", remark.dimension && holds(remark.was) ? `: ${wordsOf(remark.was)}` : ""),
    verdictOf(remark),
    wordsAnd("span", remark, remark.settled),
  ];
  const look = button(left ? t("remark.begin", { count: left }) : t("remark.look"), () => room.open(now.code), left);
  const hand = button(t("remark.hand_in"), sends(room, "/api/first-answers", {}), true);
  const go = button(t("pause.go_on"), sends(room, "/api/reviews-read", { review: now.review }), true);
  return h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, h("bdi", {}, room.start.title)),
    h("h1", {}, t(again ? "pause.again_title" : "pause.reviewed_title")),
    h("p", {}, again ? (left ? t("pause.again_text") : t("pause.again_ready")) : t("pause.reviewed_text")),
    now.note ? h("blockquote", {}, h("p", { class: "over" }, t("pause.note")), h("p", { class: "words", dir: "auto" }, now.note)) : null,
    now.remarks.length
      ? h("ol", { class: "remarks" }, now.remarks.map((remark) => h("li", { class: again && open(remark) ? "open" : null }, told(remark))))
      : null,
    h("p", { class: "row" }, again ? (left ? look : [hand, look]) : go),
  );
}
