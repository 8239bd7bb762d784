// One answer to rate, or one pair: reading, labels, keys. Each key is saved as it is pressed.

import { answerOf } from "./answer.js";
import { asksOf } from "./asking.js";
import { dialog, h, newName, t } from "./dom.js";
import { footOf } from "./foot.js";
import { openFrom, soon, stay } from "./go_on.js";
import { keysDialog, keysOn, labelsDialog } from "./help.js";
import { pressed, whyOf } from "./keys.js";
import { bring, readingOf } from "./reading.js";
import { Remarks, wordsOf } from "./review.js";
import { Held, holds } from "./said.js";
import { spansOf } from "./spans.js";
import { goOnUnjudged } from "./whole.js";

const TYPING = 1_200;

export class TaskScreen {
  constructor(room, task, waiting) {
    this.room = room;
    this.task = task;
    this.closed = Boolean(task.closed_because);
    this.held = new Held(task, waiting);
    this.options = room.start.asks;
    const { shown } = task;
    this.reading = readingOf(shown);
    const look = (ids) => this.reading.light(ids);
    const stay = (ids, button) => this.#peek(ids, button);
    this.pair = Boolean(shown.answer_b);
    this.answer = shown.answer
      ? answerOf(shown, { look, stay, heading: this.pair ? t("read.answer_a") : undefined })
      : null;
    const other = this.pair
      ? answerOf({ ...shown, answer: shown.answer_b }, { look, stay, heading: t("read.answer_b") })
      : null;
    this.answers = [this.answer, other].filter(Boolean);
    const act = {
      label: (row, label) => this.answered(row, { label }),
      number: (row, number) => this.answered(row, { number }),
      // Who points at it finds the field for why below; nothing is typed there by a key too many.
      reason: (row, reason) => this.reason(row, reason, { leadsOn: reason !== "cannot_judge" }),
      comment: (row, comment) => this.say({ dimension: row.question.id, about: row.about, comment }),
      sure: (row, confidence) => this.sure(row, confidence),
      help: (question) => labelsDialog(question),
      choose: (row) => this.choose(row, { byHand: true }),
      say: (said) => this.say(said),
      tell: (text, undoes) => this.tell(text, undoes),
      onward: (row) => this.onward(row),
    };
    act.keep = ({ dimension, about, because }) => this.say({ dimension, about, why: because });
    this.remarks = new Remarks(task, this.held, act, this.closed);
    const settings = { closed: this.closed, remarks: this.remarks };
    const { blocks, rows } = asksOf(task, act, settings);
    this.spans = spansOf(task, this.answer, this.held, act, settings);
    this.rows = rows;
    this.all = this.spans ? [...rows, this.spans.row] : rows;
    footOf(this);
    const begins = task.calibration && task.position === 1 && this.options.review && !this.closed && !task.remarks.length;
    this.element = h(
      "div",
      { class: this.pair ? "task pair" : "task" },
      h(
        "div",
        { class: "reading" },
        begins ? h("p", { class: "note begins" }, h("b", {}, t("pause.calibration_title")), " ", t("pause.calibration_text")) : null,
        this.reading.head,
        this.answer ? this.answer.element : h("p", { class: "later" }, t("read.later")),
        other?.element,
      ),
      this.reading.evidence,
      h(
        "section",
        { class: "asking", id: "asking", tabindex: "-1", "aria-labelledby": "asking-title" },
        h("h2", { id: "asking-title", class: "aside-only" }, t("ask.title")),
        this.room.start.keep_open ? h("p", { class: "soft keep-open" }, t("ask.keep_open", { what: this.room.start.keep_open })) : null,
        this.closed ? h("p", { class: "note" }, t("ask.read_only")) : null,
        this.steps,
        h("div", { class: "blocks" }, blocks, this.spans?.element),
        this.foot,
        this.going,
      ),
      this.peek,
    );
  }

  /** Begin at the first question that is open. */
  begin() {
    this.update();
    // On a phone the labels lie over the page's end: the page ends that much later.
    const dock = this.element.querySelector(".asking");
    const root = document.documentElement.style;
    this.watch = new ResizeObserver(() => {
      const over = getComputedStyle(dock).position === "fixed";
      root.setProperty("--dock", over ? `${dock.offsetHeight}px` : "0px");
    });
    this.watch.observe(dock);
    const open = this.#open();
    this.choose(open ?? this.all[0], { scroll: true });
    this.room.main.focus({ preventScroll: true });
    this.opens = openFrom(this);
    this.#carry();
    this.element.addEventListener("pointerdown", () => stay(this));
    goOnUnjudged(this);
  }

  /** Say of documents what was said of them before; it can be changed, and one undo takes it back. */
  #carry() {
    const open = this.task.earlier_labels.filter((one) => !this.held.answered(one.dimension, one.about));
    if (this.closed || !open.length) return;
    const together = newName();
    for (const { dimension, about, label, number, confidence } of open) {
      this.say({ dimension, about, label, number, confidence, carried: true });
      this.held.past.at(-1).together = together;
    }
    this.tell(t("ask.carried", { count: open.length }));
    this.onward();
  }

  /** Keep a comment that is still being typed. */
  end() {
    stay(this);
    this.keepComment();
    this.watch?.disconnect();
    this.room.memory.keep(this.held.into(this.task));
  }

  // --- what is said

  /** Say something: shown at once, kept at once, sent as soon as the line allows. */
  say(said, { undone = false } = {}) {
    if (this.closed) return;
    const whole = {
      client: newName(),
      code: this.task.code,
      at: new Date().toISOString(),
      seconds: this.room.active.take(),
      language: this.task.questions.find(({ id }) => id === said.dimension)?.language ?? "",
      ...said,
    };
    this.tell("");
    if (!undone) this.held.say(whole);
    this.room.queue.put(whole);
    this.update();
  }

  /** Tell what became of something, until something else is said; with a button where it can be undone. */
  tell(text, undoes = false) {
    const undo = h("button", { type: "button", class: "quiet", onclick: () => this.undo() }, h("kbd", {}, "U"), h("span", {}, t("ask.undo")));
    this.told.replaceChildren(h("span", {}, text), ...(undoes ? [undo] : []));
    this.told.hidden = !text;
  }

  /** Tell what a label was and what it is, where it was changed. */
  #changed({ question }, was, now) {
    if (!holds(was)) return;
    this.tell(t("ask.changed", { title: question.title, was: wordsOf(was, question), now: wordsOf({ number: null, ...now }, question) }), true);
  }

  /** Say a label or a number; what holds already only leads on. */
  async answered(row, said) {
    const { question, about } = row;
    const held = this.held.of(question.id, about);
    if (held.label !== said.label && held.number !== said.number) {
      const why = holds(held) ? await whyOf(this.options) : "";
      if (why === null) return;
      this.say({ dimension: question.id, about, ...said, why });
      this.#changed(row, held, said);
    }
    this.onward(row);
  }

  async reason(row, reason, { leadsOn = true } = {}) {
    const held = this.held.of(row.question.id, row.about);
    const said = held.label || held.number !== null;
    const why = said || (held.reason && held.reason !== reason) ? await whyOf(this.options) : "";
    if (why === null) return;
    if (held.reason !== reason) {
      this.say({ dimension: row.question.id, about: row.about, reason, why });
      this.#changed(row, held, { reason });
    }
    if (leadsOn) this.onward(row);
  }

  sure(row, confidence) {
    const { label, number, reason } = this.held.of(row.question.id, row.about);
    if (!holds({ label, number, reason })) return;
    const said = { dimension: row.question.id, about: row.about, confidence };
    this.say({ ...said, ...(label ? { label } : {}), ...(reason ? { reason } : {}), number });
    this.onward(row);
  }

  dangerous() {
    this.say({ dangerous: !this.held.dangerous });
  }

  undo() {
    const { together } = this.held.past.at(-1) ?? {};
    this.room.unjudged = null;
    const said = this.held.undo();
    if (!said) return;
    // What was said together is taken back together.
    if (together && this.held.past.at(-1)?.together === together) setTimeout(() => this.undo());
    const { dimension = "", about = "" } = said;
    if (said.why && !said.label) this.remarks.undo(said);
    this.say({ takes_back: said.client, dimension, about }, { undone: true });
    const row = this.all.find((one) => one.question.id === dimension && (one.spans || one.about === about));
    if (row) {
      this.choose(row, { scroll: true });
      this.tell(t("ask.undone", { title: row.question.title, now: wordsOf(this.held.of(dimension, about), row.question) }));
    }
    this.words.value = this.held.comment;
  }

  write() {
    this.comment.classList.add("open");
    this.remark.setAttribute("aria-expanded", "true");
    this.fold(false);
    this.words.focus();
  }

  /** Show or fold the tools, where there is no room for them. */
  fold(open) {
    this.tools.classList.toggle("open", open);
    this.more.setAttribute("aria-expanded", String(open));
  }

  typed() {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.keepComment(), TYPING);
  }

  keepComment() {
    clearTimeout(this.typing);
    if (!this.closed && this.words.value !== this.held.comment) this.say({ comment: this.words.value });
  }

  // --- where one is

  /** Make a row the current one: keys are for it, and what it is about is lit. */
  choose(row, { scroll = false, byHand = false } = {}) {
    if (!row) return;
    this.byHand = byHand;
    if (this.current === row && !scroll) return;
    this.current?.element.classList.remove("current");
    this.current = row;
    row.element.classList.add("current");
    const place = { position: this.all.indexOf(row) + 1, count: this.all.length };
    this.step.textContent = t("ask.place", place);
    const { kind } = row.question;
    const [, rest = ""] = row.about.split(/:(.*)/s);
    if (kind === "document") this.reading.light([rest]);
    else if (kind === "citation") {
      const [place, id] = rest.split(/\/(.*)/s);
      this.reading.light([id]);
      this.answer?.lightStatement(Number(place));
    } else {
      this.answer?.lightStatement(kind === "statement" ? Number(rest) : -1);
    }
    // On a phone the questions scroll above what leads on, else all of the pane does.
    const blocks = row.element.closest(".blocks");
    const scrolls = (pane) => getComputedStyle(pane).overflowY !== "visible";
    if (scrolls(blocks)) blocks.scrollTop = 0;
    else if (scroll && scrolls(blocks.parentElement)) bring(row.element, blocks.parentElement, this.going.offsetHeight);
  }

  stepBy(by) {
    const at = this.all.indexOf(this.current) + by;
    if (this.all[at]) this.choose(this.all[at], { scroll: true, byHand: true });
  }

  /** What is open. */
  openRows = () => this.all.filter((row) => !this.#done(row));

  /** Go to the next open question after this one; where none is open, to the button. */
  onward(row = null) {
    if (row && !this.#done(row)) return;
    const open = this.#open(this.all.indexOf(row));
    if (open) {
      this.choose(open, { scroll: true });
      if (document.activeElement?.closest(".ask")) this.room.main.focus({ preventScroll: true });
    } else {
      // A key too many changes nothing: labels are for what is open, or what was chosen by hand.
      this.byHand = false;
      this.next.focus({ preventScroll: true });
      soon(this);
    }
  }

  /** Whether keys say something of this row. */
  acts(row) {
    if (!row) return false;
    if (this.byHand || row.spans || !this.#done(row)) return true;
    this.tell(t("ask.nothing_open"));
    return false;
  }

  #open(after = -1) {
    const open = (row) => !this.#done(row);
    return this.all.slice(after + 1).find(open) ?? this.all.find(open);
  }

  #done(row) {
    const { id, confidence } = row.question;
    const given = this.held.of(id, row.about);
    if (this.remarks.open(id, row.spans ? null : row.about)) return false;
    if (row.spans) return row.done();
    return this.held.answered(id, row.about) && (!confidence.length || Boolean(given.reason) || given.confidence !== null);
  }

  /** Show what holds now. */
  update() {
    for (const row of this.rows) row.show(this.held.of(row.question.id, row.about));
    this.spans?.show();
    this.remarks.show((about) => this.answer?.wordsOf(about.slice(5).split("-").map(Number)) ?? "");
    const open = this.openRows().length + Number(this.remarks.open("", ""));
    const text = open ? t("ask.missing", { count: open }) : t("ask.complete");
    if (this.count.textContent !== text) this.count.textContent = text;
    this.next.classList.toggle("ready", !open);
    this.danger.setAttribute("aria-pressed", String(this.held.dangerous));
    const whom = this.room.start.information.danger;
    this.call.hidden = !(this.held.dangerous && whom);
    this.call.textContent = whom ? t("ask.call", { whom }) : "";
  }

  /** Hold what the server knows of this answer; false where another device has changed it. */
  async holds(task) {
    if (task.stage !== this.task.stage || task.closed_because !== this.task.closed_because) {
      // Earlier labels of documents open the answer: that is this device's own step.
      const own = task.closed_because === this.task.closed_because && this.held.same(task);
      await this.room.open(task.code);
      if (!own) this.room.screen?.tell?.(t("ask.elsewhere"));
      return false;
    }
    if (this.held.same(task)) return true;
    // Words that are being typed stay: they are newer than what came back.
    const typing = this.words.value !== this.held.comment;
    this.held.hold(task);
    if (!typing) this.words.value = this.held.comment;
    this.update();
    this.tell(t("ask.elsewhere"));
    return false;
  }

  /** Go on: to what is open here, or to the next answer. */
  async go() {
    const open = this.#open();
    if (open && !this.closed) {
      this.choose(open, { scroll: true });
      (open.input ?? open.labels[0])?.focus({ preventScroll: true });
      return;
    }
    if (this.remarks.open("", "")) {
      this.foot.querySelector(".remarked button")?.focus();
      return;
    }
    if (this.leaving) return;
    // Whoever types ahead means the next answer: nothing of that may change this one.
    this.leaving = true;
    this.keepComment();
    await this.room.queue.sent();
    if (!(await this.room.look())) {
      this.leaving = false;
      return;
    }
    if (this.task.later) await this.room.open(this.task.later);
    else await this.room.go();
  }

  /** The server did not take something: say why, and show what it holds. */
  refused({ said, refusal }) {
    if (said.code !== this.task.code) return;
    const key = `error.${refusal.word}`;
    this.room.open(this.task.code);
    dialog(t("error.title"), t("help.close"), h("p", {}, t(key) || refusal.sentence));
  }

  #peek(ids, button) {
    const on = button.getAttribute("aria-pressed") !== "true";
    for (const one of this.element.querySelectorAll(".cite")) one.setAttribute("aria-pressed", "false");
    button.setAttribute("aria-pressed", String(on));
    this.reading.light(on ? ids : []);
    this.peek.hidden = !on;
    this.peek.replaceChildren(
      ...ids.flatMap((id) => [h("span", { class: "number" }, id), h("span", { dir: "auto" }, this.reading.textOf(id))]),
    );
  }

  showKeys() {
    keysDialog({ written: this.answers.some((answer) => answer.markedUp), spans: Boolean(this.spans), confidence: this.task.questions.some((question) => question.confidence.length) });
  }

  key(event) {
    // What a dialog has taken, which may be closed by now, is for no question.
    if (event.defaultPrevented || this.leaving || document.querySelector("dialog[open]")) return;
    if (event.key !== "Enter") stay(this);
    if (performance.now() < this.opens && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      return;
    }
    const { target } = event;
    const typing = target.matches("textarea, input, select");
    if (typing) {
      if (event.key === "Escape") this.room.main.focus({ preventScroll: true });
      return;
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") this.undo();
    else if (event.ctrlKey || event.metaKey || event.altKey || !keysOn()) return;
    else if (!pressed(this, event)) return;
    event.preventDefault();
  }
}
