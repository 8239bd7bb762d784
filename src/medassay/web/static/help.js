// What the labels mean, and which keys there are; each one key away.

import { dialog, h, own, t } from "./dom.js";
import { shownAs } from "./said.js";

const OFF = own("keys-off");

/** Whether single keys do something; whoever dictates or uses switches can turn them off. */
export const keysOn = () => localStorage.getItem(OFF) !== "yes";

const GO_ON = own("go-on");

/** Whether the next answer comes by itself once all is labelled; off until a rater asks for it. */
export const goesOn = () => localStorage.getItem(GO_ON) === "yes";

/** Show each label of a question with when to choose it and worked examples. */
export function labelsDialog(question) {
  return dialog(
    h("bdi", {}, question.title),
    t("help.close"),
    h("p", { class: "asks", dir: "auto" }, question.question),
    h(
      "dl",
      { class: "meanings" },
      question.labels.flatMap((label, at) => [
        h("dt", {}, at < 9 ? h("kbd", {}, String(at + 1)) : null, " ", h("span", { dir: "auto" }, shownAs(question, label.label))),
        h(
          "dd",
          {},
          label.description ? h("p", { dir: "auto" }, label.description) : null,
          label.examples.map((example) =>
            h(
              "figure",
              {},
              h("figcaption", {}, t("help.example")),
              example.question ? h("p", { class: "soft", dir: "auto" }, example.question) : null,
              h("blockquote", { dir: "auto" }, example.answer),
              h("p", { dir: "auto" }, example.why),
            ),
          ),
        ),
      ]),
    ),
    question.precedence.length
      ? h("p", { class: "soft" }, t("help.precedence", { labels: question.precedence.map((word) => shownAs(question, word)).join(", ") }))
      : null,
  );
}

/** Show the keys, and let them be turned off. */
export function keysDialog({ written, spans, confidence }) {
  const keys = [
    ["1 … 9", "label"],
    ["0", "cannot"],
    ["W", "why_not"],
    ["-", "not_applicable"],
    ["X", "unjudged"],
    ["L", "later"],
    confidence ? ["⇧ 1 … 5", "sure"] : null,
    spans ? ["M", "mark"] : null,
    spans ? ["N", "nothing"] : null,
    ["↑ ↓", "move"],
    ["?", "help"],
    written ? ["R", "written"] : null,
    ["C", "comment"],
    ["D", "dangerous"],
    ["U", "undo"],
    ["⏎", "next"],
    ["B", "back"],
    ["K", "keys"],
  ].filter(Boolean);
  const on = h("input", {
    type: "checkbox",
    checked: keysOn(),
    onchange: () => (on.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes")),
  });
  const next = h("input", {
    type: "checkbox",
    checked: goesOn(),
    onchange: () => (next.checked ? localStorage.setItem(GO_ON, "yes") : localStorage.removeItem(GO_ON)),
  });
  dialog(
    t("keys.title"),
    t("help.close"),
    h("dl", { class: "keys" }, keys.flatMap(([key, name]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, t(`keys.${name}`))])),
    h("label", { class: "check" }, on, t("keys.on")),
    h("p", { class: "soft" }, t("keys.off_note")),
    h("label", { class: "check" }, next, t("keys.go_on")),
    h("p", { class: "soft" }, t("keys.go_on_note")),
  );
}
