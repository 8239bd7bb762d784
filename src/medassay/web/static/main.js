// The rating room: asks the server where the rater stands, and shows that.

import { Active } from "./active.js";
import { Bar } from "./bar.js";
import { consent } from "./consent.js";
import { fill, h, speak, t } from "./dom.js";
import { guess } from "./guess.js";
import { Line } from "./line.js";
import { pause } from "./pause.js";
import { Queue } from "./queue.js";
import { reviewed } from "./review.js";
import { passphrase, sign } from "./sign.js";
import { TaskScreen } from "./task.js";

const start = JSON.parse(document.getElementById("start").textContent);
speak(start.words);

const RETRY = 3_000;
const LOOK = 15_000;

class Room {
  constructor() {
    this.start = start;
    this.line = new Line(start.csrf);
    this.queue = new Queue(this.line, start.who, start.shared);
    this.active = new Active();
    this.bar = new Bar(this);
    this.main = h("main", { id: "main", tabindex: "-1" });
    this.screen = null;
    document.getElementById("room").replaceChildren(this.bar.element, this.main);
    this.queue.addEventListener("state", (event) => this.#state(event.detail));
    this.queue.addEventListener("refused", (event) => this.screen?.refused?.(event.detail));
    addEventListener("focus", () => this.look());
    setInterval(() => this.look(), LOOK);
    document.addEventListener("keydown", (event) => this.screen?.key?.(event));
  }

  /** Ask where the rater stands, once all that was said is there. */
  async go() {
    await this.queue.send();
    try {
      const now = await this.line.get("/api/now");
      this.now = now;
      this.#show(now);
    } catch (wrong) {
      this.#cannot(wrong);
    }
  }

  /** Show an answer that was begun before. */
  async open(code) {
    await this.queue.send();
    try {
      const task = await this.line.get(`/api/tasks/${encodeURIComponent(code)}`);
      this.#task(task);
    } catch (wrong) {
      if (wrong.status === 404) await this.go();
      else this.#cannot(wrong);
    }
  }

  /**
   * Look whether something was said of this answer on another device, and show what holds now.
   * Gives false where that is so.
   */
  async look() {
    const { screen } = this;
    // Whoever asks while a look is on its way waits for what that one finds.
    if (screen?.looking) return screen.looking;
    if (document.hidden || !screen?.task || !this.queue.settled) return true;
    screen.looking = this.#look(screen);
    return screen.looking;
  }

  async #look(screen) {
    const { queue } = this;
    const { puts } = queue;
    try {
      const task = await this.line.get(`/api/tasks/${encodeURIComponent(screen.task.code)}`);
      // What was said here meanwhile is newer than what came back.
      if (this.screen !== screen || !queue.settled || queue.puts !== puts) return true;
      return await screen.holds(task);
    } catch {
      return true;
    } finally {
      screen.looking = null;
    }
  }

  #show(now) {
    this.bar.progress(now);
    if (now.standing === "task") this.#task(now.task);
    else if (now.standing === "consent") this.put(consent(this));
    else if (now.standing === "passphrase") this.put(passphrase(this, now));
    else if (now.standing === "sign") this.put(sign(this, now));
    else if (now.standing === "guess") guess(this);
    else if (now.standing === "again" || now.standing === "reviewed") this.put(reviewed(this, now));
    else this.put(pause(this, now));
  }

  async #task(task) {
    const waiting = (await this.queue.waiting()).map((one) => one.said);
    const screen = new TaskScreen(this, task, waiting);
    this.put(screen.element, screen);
    this.bar.place(task);
    screen.begin();
  }

  /** Put a screen into the page and begin reading at its top. */
  put(element, screen = null) {
    this.screen?.end?.();
    this.screen = screen;
    fill(this.main, element);
    this.main.dataset.standing = this.now?.standing ?? "";
    scrollTo(0, 0);
    if (!screen) this.main.focus({ preventScroll: true });
  }

  #cannot(wrong) {
    if (wrong.status === 401) {
      location.assign("/in");
      return;
    }
    if (wrong.status === 403) {
      location.reload();
      return;
    }
    this.put(
      h(
        "section",
        { class: "sheet" },
        h("h1", {}, t("pause.offline_title")),
        h("p", {}, t("pause.offline_text")),
      ),
    );
    setTimeout(() => this.go(), RETRY);
  }

  #state(detail) {
    this.bar.state(detail);
    this.screen?.state?.(detail);
  }
}

const room = new Room();
await room.queue.open();
await room.go();
