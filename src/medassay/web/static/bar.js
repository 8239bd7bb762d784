// The bar on top: where one is, whether all is saved, and a menu. Its places keep their size, so
// that nothing moves when something is saved.

import { at, dialog, h, own, t } from "./dom.js";

const MINUTE = 60;
const HOUR = 3600;

export class Bar {
  constructor(room) {
    this.room = room;
    this.where = h("span", { class: "where" });
    this.left = h("span", { class: "left" });
    this.saved = h("span", { class: "saved", role: "status" });
    this.meter = h("progress", { class: "meter", max: "1", value: "0", "aria-label": t("bar.progress") });
    this.element = h(
      "header",
      { class: "bar" },
      h("a", { class: "skip", href: "#asking" }, t("bar.skip")),
      h("span", { class: "study" }, h("bdi", {}, room.start.title)),
      this.where,
      this.left,
      this.saved,
      this.#menu(),
      this.meter,
    );
  }

  #menu() {
    const { line } = this.room;
    const leave = h("button", { type: "button", onclick: () => this.leave() }, t("bar.leave"));
    const about = h("button", { type: "button", onclick: () => this.#about() }, t("bar.information"));
    const keys = h(
      "button",
      { type: "button", class: "with-keys", onclick: () => this.room.screen?.showKeys?.() },
      t("bar.keys"),
    );
    this.out = h(
      "form",
      { method: "post", action: at("/out"), hidden: true },
      h("input", { type: "hidden", name: "csrf", value: line.csrf }),
    );
    const language = h(
      "form",
      { method: "post", action: at("/language"), class: "language" },
      h("label", {}, h("span", { class: "soft" }, t("door.language")), h(
        "select",
        { name: "language", onchange: (event) => this.#speak(event.target.form) },
        this.room.start.languages.map(([code, name]) => h("option", { value: code, lang: code, selected: code === this.room.start.language }, name)),
      )),
      h("span", { class: "soft made" }, `${t("about.made")} ${t("about.checked")}`),
    );
    const menu = h(
      "details",
      { class: "menu" },
      h("summary", {}, t("bar.menu")),
      h("div", { class: "items" }, keys, about, language, leave),
      this.out,
    );
    menu.addEventListener("click", (event) => {
      if (event.target.closest(".items button")) menu.open = false;
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      menu.open = false;
      menu.querySelector("summary").focus();
    });
    return menu;
  }

  /** Go on in another language; what is being typed and what waits is kept first. */
  async #speak(form) {
    this.room.screen?.keepComment?.();
    await this.room.queue.sent();
    form.submit();
  }

  #about() {
    const { information, wording, translated_by } = this.room.start;
    const parts = ["text", "ethics", "danger", "withdrawal"].filter((name) => information[name]);
    const heading = { text: "study", ethics: "ethics", danger: "danger", withdrawal: "withdrawal" };
    dialog(
      t("bar.information"),
      t("help.close"),
      ...parts.flatMap((name) => [
        h("h3", {}, t(`consent.${heading[name]}`)),
        h("p", { class: "words", dir: "auto" }, information[name]),
      ]),
      h("p", { class: "soft" }, t("consent.version", { version: information.version })),
      wording ? h("p", { class: "soft", dir: "auto" }, wording) : null,
      translated_by ? h("p", { class: "soft" }, t("ask.translated", { by: translated_by })) : null,
    );
  }

  /** Sign out; the browser keeps nothing. */
  async leave() {
    const count = (await this.room.queue.waiting()).length;
    if (count && !confirm(t("bar.unsaved_leave", { count }))) return;
    await this.room.queue.clear();
    for (const store of [localStorage, sessionStorage])
      for (const key of Object.keys(store)) if (key.startsWith(own(""))) store.removeItem(key);
    this.out.submit();
  }

  /** Show how far the rater is. */
  progress(now) {
    const { asked, done } = now.progress;
    this.asked = asked;
    this.meter.value = asked ? done / asked : 0;
    const seconds = now.seconds_left;
    let left = "";
    if (seconds && seconds >= HOUR)
      left = t("bar.hours_left", { hours: Math.round((seconds / HOUR) * 2) / 2 });
    else if (seconds) left = t("bar.minutes_left", { minutes: Math.max(1, Math.round(seconds / MINUTE)) });
    this.left.textContent = left;
    this.where.textContent = "";
  }

  /** Show which answer this is. */
  place(task) {
    const place = t("bar.place", { position: task.position, asked: this.asked });
    this.where.replaceChildren(
      task.calibration ? h("span", { class: "phase" }, `${t("bar.calibration")} · `) : "",
      place,
    );
  }

  /** Show whether all is saved. */
  state({ state, count, word }) {
    const texts = {
      saved: () => t("bar.saved"),
      saving: () => t("bar.saving"),
      waiting: () => (word === "paused" || word === "no_space" ? t(`error.${word}`) : t("bar.waiting", { count })),
      "signed-out": () => t("error.signed_out"),
      stale: () => t("error.stale_page"),
    };
    this.saved.dataset.state = state;
    const text = texts[state]();
    if (this.saved.textContent !== text) this.saved.textContent = text;
  }
}
