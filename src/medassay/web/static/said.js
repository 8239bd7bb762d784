// What holds of one task: what the server knew, and what was said since.

const key = (dimension, about) => `${dimension}\n${about}`;
const NOTHING = { label: "", number: null, reason: "", comment: "", confidence: null, carried: false };

/** Whether it is a label, a number or a reason; words alone are none. */
export const holds = ({ label, number, reason }) => Boolean(label || reason) || (number ?? null) !== null;

/** Give the word that is shown for one that is kept: the same, or a translation of it. */
export const shownAs = ({ shown }, word) => shown[word] ?? word;

/** Folds what is said; `Said` of the store has the same fields. */
export class Held {
  constructor(task, waiting) {
    this.code = task.code;
    this.hold(task);
    for (const said of waiting) if (said.code === task.code) this.say(said);
  }

  /** Whether this is what the server knows. */
  same(task) {
    const there = new Map(task.given.map((one) => [key(one.dimension, one.about), one]));
    const one = (given) => [given.label, given.number, given.reason, given.comment, given.confidence].join("\n");
    const keys = new Set([...there.keys(), ...this.given.keys()]);
    const alike = [...keys].every((name) => one({ ...NOTHING, ...there.get(name) }) === one({ ...NOTHING, ...this.given.get(name) }));
    return alike && task.comment === this.comment && task.dangerous === this.dangerous;
  }

  /** Hold what the server knows; what was said here can then no longer be undone here. */
  hold(task) {
    this.given = new Map(task.given.map((one) => [key(one.dimension, one.about), { ...NOTHING, ...one }]));
    this.comment = task.comment;
    this.dangerous = task.dangerous;
    this.past = [];
  }

  /** Give an answer with all that holds of it, as the server would. */
  into(task) {
    const given = [...this.given].map(([name, one]) => {
      const [dimension, about] = name.split("\n");
      return { ...one, dimension, about };
    });
    return { ...task, given, comment: this.comment, dangerous: this.dangerous };
  }

  of(dimension, about) {
    return this.given.get(key(dimension, about)) ?? NOTHING;
  }

  /** Whether there is a label, a number or a reason. */
  answered(dimension, about) {
    return holds(this.of(dimension, about));
  }

  /** Everything that is said about one kind of thing, such as "span:". */
  abouts(dimension, start) {
    return [...this.given.keys()]
      .map((one) => one.split("\n"))
      .filter(([name, about]) => name === dimension && about.startsWith(start))
      .map(([, about]) => about);
  }

  /** Take in something that is said, and remember what held before, for `undo`. */
  say(said) {
    const before = said.dimension
      ? { given: this.given.get(key(said.dimension, said.about)) }
      : { comment: this.comment, dangerous: this.dangerous };
    this.past.push({ said, before });
    if (said.dangerous !== null && said.dangerous !== undefined) this.dangerous = said.dangerous;
    if (!said.dimension) {
      if (said.comment !== null && said.comment !== undefined) this.comment = said.comment;
      return;
    }
    const held = this.of(said.dimension, said.about);
    const comment = said.comment ?? held.comment;
    const now = holds(said)
      ? { label: said.label ?? "", number: said.number ?? null, reason: said.reason ?? "", comment, confidence: said.confidence ?? null, carried: Boolean(said.carried) }
      : { ...held, comment };
    this.given.set(key(said.dimension, said.about), now);
  }

  /** Take back what was said last; gives its name and what it was about, null if nothing was. */
  undo() {
    const last = this.past.pop();
    if (!last) return null;
    const { said, before } = last;
    if (!said.dimension) {
      this.comment = before.comment;
      this.dangerous = before.dangerous;
    } else if (before.given) this.given.set(key(said.dimension, said.about), before.given);
    else this.given.delete(key(said.dimension, said.about));
    return said;
  }
}
