// Active seconds: time in which somebody reads or does something. Two minutes without a sign of
// anybody end it until the next sign, and a page in the background counts nothing.

const IDLE = 120_000;

/** Counts from one `take` to the next. */
export class Active {
  #counted = 0;
  #since = null;
  #sign = 0;

  constructor(clock = () => performance.now()) {
    this.clock = clock;
    for (const sign of ["keydown", "pointerdown", "pointermove", "wheel", "touchmove", "scroll"])
      addEventListener(sign, () => this.sign(), { passive: true, capture: true });
    document.addEventListener("visibilitychange", () =>
      document.hidden ? this.#stop() : this.sign(),
    );
    this.sign();
  }

  /** Somebody is there. */
  sign() {
    const now = this.clock();
    if (this.#since !== null && now - this.#sign > IDLE) this.#stop();
    this.#since ??= now;
    this.#sign = now;
  }

  #stop() {
    if (this.#since === null) return;
    this.#counted += Math.min(this.clock(), this.#sign + IDLE) - this.#since;
    this.#since = null;
  }

  /** Give the seconds since the last time, and begin anew. */
  take() {
    this.#stop();
    const seconds = Math.max(0, Math.round(this.#counted / 100) / 10);
    this.#counted = 0;
    this.sign();
    return seconds;
  }
}
