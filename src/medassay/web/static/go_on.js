// Going on by itself, for who has asked for it: to the next answer, a moment after the last label.

import { goesOn } from "./help.js";

const MOMENT = 1_000;
const LATE = 700;

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
