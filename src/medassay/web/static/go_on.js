// Going on by itself, for who has asked for it: to the next answer, a moment after the last label.

import { h, t } from "./dom.js";
import { goesOn, letGoOn } from "./help.js";

const MOMENT = 1_000;
const LATE = 700;
/** After how many answers it is offered, and after how many no more. */
const [FROM, TO] = [3, 6];

/** What offers it, in sight only where all is labelled. */
export function offerOf(screen) {
  const press = () => {
    letGoOn(true);
    offer(screen);
    soon(screen);
  };
  const button = h("button", { type: "button", onclick: press }, h("kbd", {}, "A"), h("span", {}, t("keys.go_on")));
  return h("p", { class: "offer", hidden: true }, button, h("span", { class: "soft" }, t("keys.go_on_note")));
}

/** Offer it to who has led on by hand a few times; after a few more they do not want it. */
export function offer(screen) {
  const { onwards } = screen.room;
  screen.offered.hidden = goesOn() || screen.closed || onwards < FROM || onwards >= TO || screen.openRows().length > 0;
}

/** Go on in a moment, unless the rater does anything before. */
export function soon(screen) {
  stay(screen);
  if (!goesOn() || screen.closed) return;
  screen.next.classList.add("soon");
  screen.soon = setTimeout(() => {
    stay(screen);
    screen.room.byItself = true;
    screen.go();
  }, MOMENT);
}

/** Stay here: something else was done. */
export function stay(screen) {
  clearTimeout(screen.soon);
  screen.next.classList.remove("soon");
}

/** From when on keys are for an answer: one that came by itself takes none that was meant before. */
export function openFrom(screen) {
  const { byItself } = screen.room;
  screen.room.byItself = false;
  return performance.now() + (byItself ? LATE : 0);
}
