// The last question: which system was it? Whether the study kept the systems hidden.

import { h, newName, t } from "./dom.js";
import { answerOf } from "./answer.js";
import { readingOf } from "./reading.js";

const SURE = [
  ["guess.no_idea", 0],
  ["guess.fairly", 0.5],
  ["guess.certain", 1],
];

/** Show the answers one by one, each with the systems to choose from. */
export async function guess(room) {
  const { systems, tasks } = await room.line.get("/api/guesses");
  const [task] = tasks;
  if (!task) {
    await room.go();
    return;
  }
  let sure = 0.5;
  const sures = SURE.map(([key, value]) =>
    h("label", { class: "check" }, h("input", { type: "radio", name: "sure", value, checked: value === sure, onchange: () => (sure = value) }), t(key)),
  );
  const buttons = systems.map((system, at) =>
    h("button", { class: "label", type: "button", onclick: () => say(system) }, at < 9 ? h("kbd", {}, String(at + 1)) : null, h("span", { dir: "auto" }, system)),
  );
  async function say(system) {
    for (const one of buttons) one.disabled = true;
    await room.line.post("/api/guesses", { client: newName(), code: task.code, system, sure }).catch(() => {});
    await room.go();
  }
  const element = h(
    "div",
    { class: "task" },
    h("div", { class: "reading" }, readingOf(task.shown).head, answerOf(task.shown).element),
    h(
      "section",
      { class: "asking", id: "asking", tabindex: "-1" },
      h("h1", {}, t("guess.title")),
      h("p", { class: "over" }, t("guess.left", { count: tasks.length })),
      h("p", {}, t("guess.text")),
      // A press on a system is the answer: how sure one is stands before it.
      h("fieldset", { class: "sure" }, h("legend", {}, t("guess.sure")), sures),
      h("div", { class: "labels among" }, buttons),
    ),
  );
  room.put(element, {
    key(event) {
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog")) return;
      const button = buttons[Number(event.key) - 1];
      if (button && !button.disabled) button.click();
    },
  });
}
