// What was said and is not on the server's disk yet. It is kept in the browser's IndexedDB, so that
// a cut line, a closed page or an empty battery loses nothing; on a shared computer in memory only.
// Labels, comments and codes are kept there, never a text of a case or an answer.

import { own } from "./dom.js";

const AT_ONCE = 50;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 60_000;
const PATIENCE = 4_000;
/** Refusals that pass: what was said stays here and is sent again. */
const PASSING = new Set(["paused", "no_space"]);

function asPromise(request) {
  return new Promise((yes, no) => {
    request.onsuccess = () => yes(request.result);
    request.onerror = () => no(request.error);
  });
}

/** A store in the browser. */
class Kept {
  static async open() {
    const request = indexedDB.open(own("room"), 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore("said", { keyPath: "n", autoIncrement: true });
    return new Kept(await asPromise(request));
  }

  constructor(database) {
    this.database = database;
  }

  #said(mode) {
    // Strict: the browser answers when its disk has it.
    return this.database.transaction("said", mode, { durability: "strict" }).objectStore("said");
  }

  add(entry) {
    return asPromise(this.#said("readwrite").add(entry));
  }

  all() {
    return asPromise(this.#said("readonly").getAll());
  }

  drop(n) {
    return asPromise(this.#said("readwrite").delete(n));
  }

  clear() {
    return asPromise(this.#said("readwrite").clear());
  }
}

/** A store in memory, for shared computers and browsers that keep nothing. */
class Remembered {
  entries = [];
  last = 0;

  async add(entry) {
    this.entries.push({ ...entry, n: ++this.last });
  }

  async all() {
    return [...this.entries];
  }

  async drop(n) {
    this.entries = this.entries.filter((one) => one.n !== n);
  }

  async clear() {
    this.entries = [];
  }
}

/**
 * Sends what was said, in order, and again until the server has it. Tells `state` (saved, saving,
 * waiting, signed-out) with how many wait, and `refused` with the server's reason.
 */
export class Queue extends EventTarget {
  #store = new Remembered();
  #sending = null;
  #puts = 0;
  /** Whether all that was said here is on the server's disk. */
  settled = false;
  #wake = () => {};

  constructor(line, who, shared) {
    super();
    this.line = line;
    this.who = who;
    this.shared = shared;
    addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => this.send());
  }

  async open() {
    if (!this.shared && "indexedDB" in window) {
      try {
        this.#store = await Kept.open();
      } catch {
        // A browser that forbids it: what is said is kept as long as the page is open.
      }
    }
  }

  /** What waits, of this rater; another's on this computer waits for them. */
  async waiting() {
    return (await this.#store.all()).filter((one) => one.who === this.who);
  }

  /** Keep something that was said, and send it. */
  async put(said) {
    this.#puts += 1;
    this.settled = false;
    await this.#store.add({ who: this.who, said });
    this.send();
  }

  /** How often something was said. */
  get puts() {
    return this.#puts;
  }

  /** Forget everything; for signing out. */
  clear() {
    return this.#store.clear();
  }

  /** Send all that waits; done when all is there, or when only somebody can help. */
  send() {
    this.#wake();
    this.#sending ??= this.#all();
    return this.#sending;
  }

  /** Wait until all is sent; false where the line is cut, or so slow that nobody should wait. */
  async sent() {
    let watch, timer;
    const cut = new Promise((yes) => {
      watch = ({ detail }) => detail.state === "waiting" && yes(detail.word === "paused");
      this.addEventListener("state", watch);
      timer = setTimeout(() => yes(false), PATIENCE);
    });
    try {
      return await Promise.race([this.send().then(() => true), cut]);
    } finally {
      clearTimeout(timer);
      this.removeEventListener("state", watch);
    }
  }

  #tell(state, count, word = "") {
    this.dispatchEvent(new CustomEvent("state", { detail: { state, count, word } }));
  }

  async #all() {
    let wait = FIRST_WAIT;
    let atOnce = AT_ONCE;
    try {
      for (;;) {
        const puts = this.#puts;
        const entries = await this.waiting();
        if (!entries.length) {
          // Who waits for all that was said may have said more while the store was read.
          if (puts !== this.#puts) continue;
          this.settled = true;
          this.#tell("saved", 0);
          return;
        }
        this.#tell(wait > FIRST_WAIT ? "waiting" : "saving", entries.length);
        const some = entries.slice(0, atOnce);
        try {
          const answer = await this.line.post("/api/said", { said: some.map((one) => one.said) });
          const passing = await this.#settle(some, answer.receipts);
          if (!passing) {
            wait = FIRST_WAIT;
            continue;
          }
          this.#tell("waiting", (await this.waiting()).length, passing);
        } catch (wrong) {
          if (wrong.status === 401) {
            this.#tell("signed-out", entries.length);
            return;
          }
          if (wrong.status === 403) {
            this.#tell("stale", entries.length);
            return;
          }
          if (wrong.status === 422 || wrong.status === 413) {
            if (some.length === 1) {
              // The server will never take this one; it is told, and does not hold up the others.
              this.#refused(some[0], { word: "no_label", sentence: wrong.message });
              await this.#store.drop(some[0].n);
            }
            atOnce = 1;
            continue;
          }
          this.#tell("waiting", entries.length, wrong.word);
        }
        await this.#pause(wait);
        wait = Math.min(wait * 2, LONGEST_WAIT);
      }
    } finally {
      // In the same step as the end: nobody may come between and wait for what is over.
      this.#sending = null;
    }
  }

  /** Drop what is on the server's disk; give the reason if something has to wait. */
  async #settle(entries, receipts) {
    const by = new Map(receipts.map((one) => [one.client, one]));
    let passing = "";
    for (const entry of entries) {
      const receipt = by.get(entry.said.client);
      if (!receipt) continue;
      if (!receipt.saved && PASSING.has(receipt.refusal.word)) {
        passing = receipt.refusal.word;
        continue;
      }
      await this.#store.drop(entry.n);
      if (!receipt.saved) this.#refused(entry, receipt.refusal);
    }
    return passing;
  }

  #refused(entry, refusal) {
    this.dispatchEvent(new CustomEvent("refused", { detail: { said: entry.said, refusal } }));
  }

  #pause(milliseconds) {
    return new Promise((yes) => {
      const timer = setTimeout(yes, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        yes();
      };
    });
  }
}
