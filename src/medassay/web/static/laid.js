// A text of an answer: laid out as its Markdown means it, or as it was written. Elements are made of
// a closed list of tags and of plain text, never of HTML; each text node knows where it stands.

import { h, t } from "./dom.js";

const TAGS = new Set("p ul ol li blockquote pre code table thead tbody tr th td em strong del hr".split(" "));
const HEADING = /^h([1-6])$/;

/** Count as Python does, by code points, not by the halves that some signs have here. */
export const points = (text) => Array.from(text).length;

/** One text with its layout, null where it is shown as it was written; `after` follows its words. */
export class Laid {
  constructor(text, layout = null, after = null) {
    this.after = after;
    this.letters = Array.from(text);
    this.layout = layout;
    this.written = false;
    this.element = h("div", { class: "laid", dir: "auto" });
    this.show([]);
  }

  /** Whether it reads otherwise than it was written. */
  get markedUp() {
    const plain = ([tag, ...inside]) => tag === "p" && inside.every((leaf) => typeof leaf[0] === "number" && leaf.length === 2);
    return this.layout !== null && !this.layout.every(plain);
  }

  /** Draw it, with marks: pairs of places in this text. */
  show(marks, written = this.written) {
    if (this.marks && written === this.written && String(marks) === String(this.marks)) return;
    this.marks = marks;
    this.written = written;
    this.places = [];
    const laid = this.layout !== null && !this.written;
    this.element.classList.toggle("as-written", !laid);
    const children = laid ? this.layout.map((node) => this.#node(node)) : this.#leaf([0, this.letters.length]);
    this.element.replaceChildren(...children.flat(Infinity));
    const last = this.element.lastElementChild;
    if (this.after) (last?.localName === "p" ? last : this.element).append(this.after);
  }

  #node(node) {
    if (typeof node[0] === "number") return this.#leaf(node);
    const [tag, ...inside] = node;
    const children = inside.map((child) => this.#node(child));
    const [name, more] = tag.split(".");
    if (name === "address") return h("span", { class: "address" }, children);
    if (name === "ol") return h("ol", { start: more }, children);
    if (name === "table") return h("div", { class: "laid-table", role: "region", tabindex: "0", "aria-label": t("read.table") }, h("table", {}, children));
    const heading = HEADING.exec(name);
    if (heading) return h(`h${Math.min(Number(heading[1]) + 2, 6)}`, {}, children);
    if (!TAGS.has(name)) throw new Error(`There is no part of a page ${name}.`);
    return h(name === "th" && !inside.length ? "td" : name, { class: more }, children);
  }

  #leaf([start, end, shown = null]) {
    if (shown !== null) {
      const over = this.marks.some(([from, to]) => from < end && start < to);
      return [this.#words(shown, start, end, over, true)];
    }
    const cuts = new Set([start, end]);
    for (const edge of this.marks.flat()) if (edge > start && edge < end) cuts.add(edge);
    const edges = [...cuts].sort((one, other) => one - other);
    return edges.slice(1).map((to, at) => {
      const from = edges[at];
      const over = this.marks.some((mark) => mark[0] <= from && to <= mark[1]);
      return this.#words(this.letters.slice(from, to).join(""), from, to, over, false);
    });
  }

  #words(text, start, end, over, whole) {
    const node = document.createTextNode(text);
    this.places.push({ node, start, end, whole });
    return over ? h("mark", {}, node) : node;
  }

  /** Give what of a range lies in this text, as [start, end); null if nothing does. */
  within(range) {
    let found = null;
    for (const { node, start, end, whole } of this.places) {
      if (!range.intersectsNode(node)) continue;
      const first = node === range.startContainer ? range.startOffset : 0;
      const last = node === range.endContainer ? range.endOffset : node.data.length;
      if (last <= first) continue;
      // What stands for other signs, as & for &amp;, is selected as a whole.
      const from = whole ? start : start + points(node.data.slice(0, first));
      const to = whole ? end : start + points(node.data.slice(0, last));
      found = found ? [Math.min(found[0], from), Math.max(found[1], to)] : [from, to];
    }
    return found;
  }
}

/** What a system said elsewhere than in what is marked: a turn, or its account; noted in `all`. */
export function saidBy(text, layout, all) {
  if (!layout) return h("p", { class: "words", dir: "auto" }, text);
  const laid = new Laid(text, layout);
  all?.push(laid);
  return laid.element;
}
