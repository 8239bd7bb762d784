// The rating room: asks the server where the rater stands, and shows that.

import { Active } from "./active.js";
import { Bar } from "./bar.js";
import { consent } from "./consent.js";
import { at, fill, h, newName, own, speak, t } from "./dom.js";
import { guess } from "./guess.js";
import { Line, Wrong } from "./line.js";
import { Memory } from "./memory.js";
import { elsewhere, pause } from "./pause.js";
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
    this.memory = new Memory(this.line);
    this.device = deviceName();
    this.active = new Active();
    this.bar = new Bar(this);
    this.main = h("main", { id: "main", tabindex: "-1" });
    this.screen = null;
    document.getElementById("room").replaceChildren(this.bar.element, this.main);
    this.queue.addEventListener("state", (event) => this.#state(event.detail));
    this.queue.addEventListener("refused", (event) => this.screen?.refused?.(event.detail));
    addEventListener("focus", () => this.look());
    setInterval(() => this.look(), LOOK);
    addEventListener("pagehide", () => this.line.tell("/api/here", { device: this.device, leaves: true }));
    document.addEventListener("keydown", (event) => this.screen?.key?.(event));
  }

  /** Begin, unless the rater is on another device just now. */
  async begin() {
    // What an earlier page could not send is sent, wherever the rater goes on.
    this.queue.send();
    if (await this.here()) await this.go();
    else this.put(elsewhere(this));
  }

  /** Whether the rater rates on this device; `takes` where they go on here. */
  async here(takes = false) {
    try {
      return (await this.line.post("/api/here", { device: this.device, takes })).here;
    } catch {
      return true;
    }
  }

  /** Ask where the rater stands, once all that was said is there; without a line, go on. */
  async go() {
    if (!(await this.queue.sent())) return this.#goOn();
    try {
      const now = await this.line.get("/api/now");
      this.now = now;
      this.#show(now);
    } catch (wrong) {
      if (wrong.status) this.#cannot(wrong);
      else this.#goOn();
    }
  }

  /** Go on without a line, as far as answers are at hand. */
  #goOn() {
    const left = this.screen?.task;
    const task = left && this.memory.after(left.code);
    if (!task) return this.#cannot(new Wrong(0, "no_line", ""));
    this.#task(task, false);
    if (!left.shown.answer) this.screen?.tell(t("ask.opens_later"));
  }

  /** Show an answer that was begun before. */
  async open(code) {
    const atHand = () => {
      const task = this.memory.of(code);
      return task ? this.#task(task, false) : this.#goOn();
    };
    if (!(await this.queue.sent())) return atHand();
    try {
      const task = await this.line.get(`/api/tasks/${encodeURIComponent(code)}`);
      await this.#task(task);
    } catch (wrong) {
      if (wrong.status === 404) await this.go();
      else if (wrong.status) this.#cannot(wrong);
      else await atHand();
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
    if (document.hidden || !screen?.task) return true;
    // What is on its way is newer: once it is there, it is looked again.
    this.wanted = !this.queue.settled;
    if (this.wanted) return true;
    screen.looking = this.#look(screen);
    return screen.looking;
  }

  async #look(screen) {
    const { queue } = this;
    const { puts } = queue;
    try {
      if (!(await this.here())) {
        this.put(elsewhere(this));
        return false;
      }
      const task = await this.line.get(`/api/tasks/${encodeURIComponent(screen.task.code)}`);
      // What was said here meanwhile is newer than what came back.
      if (this.screen !== screen) return true;
      this.wanted = !queue.settled || queue.puts !== puts;
      if (this.wanted) return true;
      return await screen.holds(task);
    } catch {
      return true;
    } finally {
      screen.looking = null;
      this.#lookAgain();
    }
  }

  #show(now) {
    this.bar.progress(now);
    if (now.standing === "task") this.#task(now.task);
    else if (now.standing === "consent") this.put(consent(this));
    else if (now.standing === "passphrase") this.put(passphrase(this, now));
    else if (now.standing === "sign") this.put(sign(this, now));
    else if (now.standing === "guess") guess(this).catch((wrong) => this.#cannot(wrong));
    else if (now.standing === "again" || now.standing === "reviewed") this.put(reviewed(this, now));
    else this.put(pause(this, now));
  }

  /** Show an answer; one from memory holds what was said of it already. */
  async #task(task, fresh = true) {
    const waiting = fresh ? (await this.queue.waiting()).map((one) => one.said) : [];
    const screen = new TaskScreen(this, task, waiting);
    this.put(screen.element, screen);
    this.bar.place(task);
    screen.begin();
    if (fresh) this.memory.fill(task.code);
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
      location.assign(at("/in"));
      return;
    }
    if (wrong.status === 403) {
      location.reload();
      return;
    }
    const kind = wrong.status === 429 || wrong.status >= 500 ? "busy" : "offline";
    this.put(h("section", { class: "sheet" }, h("h1", {}, t(`pause.${kind}_title`)), h("p", {}, t(`pause.${kind}_text`))));
    setTimeout(() => this.go(), RETRY);
  }

  #lookAgain() {
    if (this.wanted && this.queue.settled) this.look();
  }

  #state(detail) {
    this.bar.state(detail);
    this.screen?.state?.(detail);
    this.#lookAgain();
  }
}

/** What this browser calls itself; on a shared computer each page, which keeps nothing. */
function deviceName() {
  try {
    const store = start.shared ? sessionStorage : localStorage;
    const name = store.getItem(own("device")) ?? newName();
    store.setItem(own("device"), name);
    return name;
  } catch {
    return newName();
  }
}

const room = new Room();
await room.queue.open();
await room.begin();
