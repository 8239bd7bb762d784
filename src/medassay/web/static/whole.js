// What is said of a whole answer with one key: that it cannot be judged, or that it comes later.

import { dialog, h, newName, t } from "./dom.js";
import { Wrong } from "./line.js";

const REASONS = ["field", "unclear", "little"];

/** Ask why an answer cannot be judged, and say it of each question that is open. */
export function cannotJudge(screen) {
  if (screen.closed || !screen.openRows().length) return;
  const why = h("input", { "aria-label": t("whole.words"), placeholder: t("whole.words"), maxlength: "2000", dir: "auto" });
  const say = (words) => {
    box.close();
    screen.room.unjudged = { code: screen.task.code, words };
    markOpen(screen, words);
  };
  const reasons = REASONS.map((name, at) =>
    h("button", { type: "button", class: "label", onclick: () => say(t(`whole.${name}`)) }, h("kbd", {}, String(at + 1)), h("span", {}, t(`whole.${name}`))),
  );
  const own = h("form", { class: "own", onsubmit: (event) => {
    event.preventDefault();
    if (why.value.trim()) say(why.value.trim());
    else why.focus();
  } }, why, h("button", {}, t("ask.keep")));
  const box = dialog(t("whole.title"), t("whole.not_so"), h("p", { class: "soft" }, t("whole.told")), h("div", { class: "labels" }, reasons), own);
  box.addEventListener("keydown", (event) => {
    if (event.target === why || event.ctrlKey || event.metaKey || event.altKey) return;
    const reason = reasons[Number(event.key) - 1];
    if (!reason) return;
    event.preventDefault();
    reason.click();
  });
  reasons[0].focus();
}

/** Say it of what is open; what was labelled stays, and one undo takes all of it back. */
function markOpen(screen, comment) {
  const together = newName();
  const open = screen.openRows();
  if (!open.length) return;
  for (const { question, about } of open) {
    screen.say({ dimension: question.id, about, reason: "cannot_judge", comment });
    screen.held.past.at(-1).together = together;
  }
  screen.fold(false);
  screen.tell(t("whole.said", { words: comment }), true);
  screen.onward();
}

/** What was said of the whole answer holds of the part that opens after it, too. */
export function goOnUnjudged(screen) {
  const { unjudged } = screen.room;
  if (unjudged?.code === screen.task.code) markOpen(screen, unjudged.words);
  else screen.room.unjudged = null;
}

/** Let an answer come again at the end of its batch. */
export async function later(screen) {
  if (screen.closed || screen.leaving) return;
  const { room, task } = screen;
  screen.leaving = true;
  screen.keepComment();
  try {
    if (!(await room.queue.sent())) throw new Wrong(0, "no_line", "");
    await room.line.post("/api/later", { code: task.code });
  } catch (wrong) {
    screen.leaving = false;
    screen.tell(t(wrong.word === "only_one" ? "whole.only_one" : "whole.no_line"));
    return;
  }
  await room.go();
}

/** The two buttons. */
export const wholeButtons = (screen) => [
  h("button", { type: "button", class: "unjudged", disabled: screen.closed, onclick: () => cannotJudge(screen) }, h("kbd", {}, "X"), h("span", {}, t("whole.cannot"))),
  h("button", { type: "button", class: "put-off", disabled: screen.closed, onclick: () => later(screen) }, h("kbd", {}, "L"), h("span", {}, t("whole.later"))),
];
