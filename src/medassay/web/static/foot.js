// What stands below the questions of an answer: a comment, tools, and the way on and back.

import { h, t } from "./dom.js";
import { wholeButtons } from "./whole.js";

/** Make them; the screen has them as its fields. */
export function footOf(screen) {
  screen.peek = h("div", { class: "peek", role: "status", hidden: true });
  screen.count = h("span", { class: "count", role: "status" });
  screen.words = h("textarea", {
    rows: "2",
    maxlength: "8000",
    dir: "auto",
    disabled: screen.closed,
    oninput: () => screen.typed(),
    onchange: () => screen.keepComment(),
  });
  screen.words.value = screen.held.comment;
  const button = (text, key, press, more = {}) =>
    h("button", { type: "button", onclick: press, disabled: screen.closed, ...more }, h("kbd", {}, key), h("span", {}, text));
  screen.danger = button(t("ask.dangerous"), "D", () => screen.dangerous(), { class: "danger", "aria-pressed": "false" });
  screen.call = h("p", { class: "note call", hidden: true });
  // Documents that carry earlier labels are all labelled, and their answer is still to come.
  const leads = screen.task.stage === "documents" ? t("ask.show_answer") : t("ask.next");
  screen.next = h("button", { type: "button", class: "main next", onclick: () => screen.go() }, h("span", {}, leads), h("kbd", {}, "⏎"));
  screen.back = screen.task.earlier
    ? h("button", { type: "button", class: "back", onclick: () => screen.room.open(screen.task.earlier) }, h("kbd", {}, "B"), h("span", {}, t("ask.back")))
    : null;
  const { rationale } = screen.room.start;
  const told = rationale || t("ask.comment");
  screen.comment = h("label", { class: "comment" }, h("span", {}, told, " ", h("kbd", {}, "C")), screen.words);
  // Where there is no room, the words are behind a button.
  screen.remark = h("button", { type: "button", class: "remark", "aria-expanded": "false", onclick: () => screen.write() }, h("span", {}, t("ask.remark")));
  screen.foot = h(
    "footer",
    { class: "foot" },
    screen.remarks.of("", null),
    screen.call,
    screen.comment,
  );
  screen.tools = h("div", { class: "row tools" }, screen.danger, wholeButtons(screen), screen.remark, button(t("ask.undo"), "U", () => screen.undo(), { class: "undo" }));
  const step = (by, sign, name) =>
    h("button", { type: "button", "aria-label": t(name), onclick: () => screen.stepBy(by) }, sign);
  screen.step = h("span", { class: "soft" });
  const steps = h("span", { class: "steps" }, step(-1, "‹", "ask.earlier"), screen.step, step(1, "›", "ask.later"));
  screen.more = h("button", { type: "button", class: "more", "aria-label": t("ask.more"), "aria-expanded": "false", onclick: () => screen.fold(!screen.tools.classList.contains("open")) }, "⋯");
  screen.told = h("p", { class: "note told", role: "status", hidden: true });
  screen.going = h("div", { class: "going" }, screen.told, screen.tools, h("div", { class: "onward" }, screen.back, screen.more, screen.count, screen.next));
  screen.steps = steps;
}
