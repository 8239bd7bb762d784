// All that is no answer to rate: breaks, waiting, the end.

import { h, t } from "./dom.js";

const LOOK_AGAIN = 60_000;

/** Show why there is nothing to rate now, and what to do. */
export function pause(room, now) {
  const kind = now.standing;
  const values = now.pause ? { after: now.pause.after, batches: now.pause.batches } : {};
  const buttons = [];
  if (kind === "break") {
    const go = h("button", { class: "main", type: "button" }, t("pause.go_on"));
    go.addEventListener("click", async () => {
      go.disabled = true;
      await room.line.post("/api/breaks", { after: now.pause.after }).catch(() => {});
      await room.go();
    });
    buttons.push(go);
  }
  if (kind === "done" && now.code)
    buttons.push(
      h("button", { type: "button", onclick: () => room.open(now.code) }, t("pause.look_again")),
    );
  if (kind === "done" || kind === "closed")
    buttons.push(h("button", { type: "button", onclick: () => room.bar.leave() }, t("bar.leave")));
  const element = h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, room.start.title),
    h("h1", {}, t(`pause.${kind}_title`)),
    h("p", {}, t(`pause.${kind}_text`, values)),
    buttons.length ? h("p", { class: "row" }, buttons) : null,
  );
  if (kind === "review" || kind === "paused")
    setTimeout(() => element.isConnected && room.go(), LOOK_AGAIN);
  return element;
}
