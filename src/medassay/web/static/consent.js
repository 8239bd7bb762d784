// The first page: what the study is, and the agreement to take part.

import { h, t } from "./dom.js";

/** Show the information; agreeing stores its version and the time. */
export function consent(room) {
  const { information } = room.start;
  const parts = [
    ["study", information.text],
    ["ethics", information.ethics],
    ["danger", information.danger],
    ["withdrawal", information.withdrawal],
  ].filter(([, text]) => text);
  const agree = h("button", { class: "main", type: "button" }, t("consent.agree"));
  agree.addEventListener("click", async () => {
    agree.disabled = true;
    try {
      await room.line.post("/api/consent", { version: information.version });
    } catch (wrong) {
      if (wrong.status === 409) location.reload();
    }
    agree.disabled = false;
    await room.go();
  });
  return h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, h("bdi", {}, room.start.title)),
    h("h1", {}, t("consent.title")),
    parts.length ? null : h("p", {}, t("consent.none")),
    ...parts.flatMap(([name, text]) => [
      h("h2", {}, t(`consent.${name}`)),
      h("p", { class: "words", dir: "auto" }, text),
    ]),
    h("p", { class: "soft" }, t("consent.version", { version: information.version }), ". ", t("consent.kept")),
    h("p", {}, agree),
  );
}
