// What single keys do at an answer, and what is asked before a label is changed.

import { sureOf } from "./asking.js";
import { dialog, h, t } from "./dom.js";
import { labelsDialog } from "./help.js";
import { cannotJudge, later } from "./whole.js";

/** Do what a key stands for; false where it stands for nothing. */
export function pressed(screen, event) {
  const { key, code, shiftKey, target } = event;
  const row = screen.current;
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1];
  if (digit && shiftKey && row && !row.spans && row.question.confidence.length && screen.acts(row)) {
    const sure = sureOf(row.question, Number(digit));
    if (sure !== null) screen.sure(row, sure);
    return true;
  }
  if (/^[-0-9.,]$/.test(key) && row && !screen.acts(row)) return true;
  if (row?.input && /^[-0-9.,]$/.test(key)) {
    // The digit itself goes into the field, which has the focus by then.
    row.input.focus();
    row.input.select();
    return false;
  }
  if (/^[1-9]$/.test(key) && row) {
    if (row.spans) row.mark(Number(key) - 1);
    else row.labels[Number(key) - 1]?.click();
    return true;
  }
  const arrows = { ArrowRight: "forward", ArrowLeft: "backward" };
  if (row?.spans && arrows[key]) {
    screen.spans.move(arrows[key], shiftKey);
    return true;
  }
  if (key === "Enter") {
    if (target.closest("button, a, summary")) return false;
    screen.go();
    return true;
  }
  const inPane = target.closest(".evidence");
  const does = {
    0: () => row && (row.spans ? row.reason("cannot_judge") : screen.reason(row, "cannot_judge")),
    n: () => screen.spans && (screen.choose(screen.spans.row), screen.spans.row.none()),
    "-": () => row && !row.spans && screen.reason(row, "not_applicable"),
    "?": () => row && labelsDialog(row.question),
    c: () => screen.write(),
    x: () => cannotJudge(screen),
    l: () => later(screen),
    d: () => screen.dangerous(),
    u: () => screen.undo(),
    w: () => whyNot(screen),
    b: () => screen.back?.click(),
    m: () => screen.spans && (screen.choose(screen.spans.row), screen.spans.begin()),
    k: () => screen.showKeys(),
    r: () => screen.answers.forEach((answer) => answer.write()),
    ArrowDown: () => screen.stepBy(1),
    ArrowUp: () => screen.stepBy(-1),
  };
  if (inPane && key.startsWith("Arrow")) return false;
  const found = does[key.length === 1 ? key.toLowerCase() : key];
  if (!found) return false;
  found();
  return true;
}

/** Ask why something is changed, where the study asks for it; null: it is not changed. */
export function whyOf(options) {
  if (!options.why) return "";
  return new Promise((yes) => {
    const input = h("textarea", { rows: "2", "aria-label": t("ask.why_changed"), maxlength: "2000", required: true });
    const box = dialog(t("ask.why_changed"), t("ask.keep"), input);
    box.addEventListener("close", () => yes(input.value.trim() || null));
    input.focus();
  });
}

/** Go to the field for why something cannot be judged: of this row, or the last that has one. */
function whyNot(screen) {
  const open = (row) => row.why && !row.why.hidden;
  const row = open(screen.current) ? screen.current : screen.rows.findLast(open);
  if (!row) return;
  screen.choose(row, { scroll: true, byHand: true });
  row.why.focus();
}
