// The answers that come next, in this page's memory alone: with the line cut, rating goes on.

const FEW = 3;

/** Holds what comes next, and what was shown with all that was said of it. */
export class Memory {
  #next = [];
  #shown = new Map();

  constructor(line) {
    this.line = line;
  }

  /** Ask for what comes after this answer, while there is a line; a few at hand are enough. */
  async fill(code) {
    this.#next = this.#next.filter((task) => task.code !== code);
    if (this.#next.length >= FEW) return;
    try {
      this.#next = (await this.line.get("/api/ahead")).tasks;
    } catch {
      // What is at hand stays.
    }
  }

  /** Keep an answer as it was left. */
  keep(task) {
    this.#shown.set(task.code, task);
    this.#next = this.#next.filter((one) => one.code !== task.code);
  }

  /** Give the answer after this one; undefined where none is at hand. */
  after = (code) => this.#next.find((task) => task.code !== code);

  /** Give an answer that was shown before, or that comes next. */
  of = (code) => this.#shown.get(code) ?? this.#next.find((task) => task.code === code);
}
