// All that is no answer to rate: breaks, waiting, the end.

import { button, h, sends, t } from "./dom.js";

const LOOK_AGAIN = 60_000;

/** Ask whether to go on here, where the rater is on another device. */
export function elsewhere(room) {
  const take = async () => {
    await room.here(true);
    await room.go();
  };
  return h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, h("bdi", {}, room.start.title)),
    h("h1", {}, t("pause.here_title")),
    h("p", {}, t("pause.here_text")),
    h("p", { class: "row" }, button(t("pause.here"), take, true)),
  );
}

/** Show why there is nothing to rate now, and what to do. */
export function pause(room, now) {
  const kind = now.standing;
  const values = now.pause ? { after: now.pause.after, batches: now.pause.batches } : {};
  const buttons = [];
  if (kind === "break")
    buttons.push(button(t("pause.go_on"), sends(room, "/api/breaks", { after: now.pause.after }), true));
  if (kind === "done" && now.code) buttons.push(button(t("pause.look_again"), () => room.open(now.code)));
  if (kind === "done" || kind === "closed") buttons.push(button(t("bar.leave"), () => room.bar.leave()));
  const element = h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, h("bdi", {}, room.start.title)),
    h("h1", {}, t(`pause.${kind}_title`)),
    h("p", {}, t(`pause.${kind}_text`, values)),
    buttons.length ? h("p", { class: "row" }, buttons) : null,
  );
  if (kind === "review" || kind === "paused")
    setTimeout(() => element.isConnected && room.go(), LOOK_AGAIN);
  return element;
}
