// The line to the server.

import { at } from "./dom.js";

const PATIENCE = 15_000;

/** A request that was answered with something else than was asked for. */
export class Wrong extends Error {
  constructor(status, word, sentence) {
    super(sentence);
    this.status = status; // 0: nothing came back
    this.word = word;
  }
}

/** Talks to the server; every failure is a `Wrong`. */
export class Line {
  constructor(csrf) {
    this.csrf = csrf;
  }

  get(path) {
    return this.#ask(path, { method: "GET" });
  }

  post(path, body) {
    const headers = { "Content-Type": "application/json", "X-CSRF": this.csrf };
    return this.#ask(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  /** Tell something on the way out; nobody waits for an answer. */
  tell(path, body) {
    const headers = { "Content-Type": "application/json", "X-CSRF": this.csrf };
    fetch(at(path), { method: "POST", headers, body: JSON.stringify(body), keepalive: true }).catch(() => {});
  }

  async #ask(path, how) {
    let answer;
    try {
      answer = await fetch(at(path), {
        ...how,
        cache: "no-store",
        credentials: "same-origin",
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      throw new Wrong(0, "no_line", "");
    }
    let content;
    try {
      content = await answer.json();
    } catch {
      // A ward's sign-in page may answer in the room's place.
      throw new Wrong(0, "no_line", "");
    }
    if (!answer.ok) throw new Wrong(answer.status, content.word, content.sentence);
    return content;
  }
}
