// Elements, words and names: what every other module builds with.

let words = {};

/** Take the words of the page's language. */
export function speak(given) {
  words = given;
}

/** Give a text with its values in their places. */
export function t(key, values = {}) {
  let text = words[key];
  if (text === undefined) throw new Error(`There is no text ${key}.`);
  // A value keeps its own direction where the text runs from right to left.
  const [begin, end] = words.direction === "rtl" ? ["\u2068", "\u2069"] : ["", ""];
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`{${name}}`, () => `${begin}${value}${end}`);
  return text;
}

/** What stands before the path of every page: this module lies in `static` beside them. */
const root = new URL("..", import.meta.url).pathname.slice(0, -1);

/** The address of a page of the room. */
export const at = (path) => root + path;

/** What the room calls its own in this browser, where its host has other applications too. */
export const own = (name) => (root ? `${root}/${name}` : name);

/**
 * Make an element. Attributes that are functions listen; `null` and `false` are left out; children
 * are elements or plain text, never HTML.
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Put these children in place of those that are there. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
}

/** A button; the main one of a page is larger. */
export const button = (text, press, main) => h("button", { type: "button", class: main ? "main" : null, onclick: press }, text);

/** What a button does that sends something and then goes on; pressed once. */
export const sends = (room, path, body) => async (event) => {
  event.currentTarget.disabled = true;
  await room.line.post(path, body).catch(() => {});
  await room.go();
};

/** Name something that is said, so that it may be sent twice and is kept once. */
export function newName() {
  if (crypto.randomUUID) return crypto.randomUUID();
  // Where a room is served without TLS, browsers give random bytes only.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (one) => one.toString(16).padStart(2, "0")).join("");
}

/** A dialog with a heading and a button that closes it; it goes when it is closed. */
export function dialog(title, closing, ...content) {
  const heading = h("h2", { id: `d-${newName()}` }, title);
  const box = h("dialog", { "aria-labelledby": heading.id }, heading, ...content);
  box.append(
    h("form", { method: "dialog", class: "row end" }, h("button", { class: "main" }, closing)),
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}
