// Sorting, copying and saving. Everything is readable without it.
"use strict";
const say = (text) => { document.getElementById("said").textContent = text; };
const data = (id) => JSON.parse(document.getElementById(id).textContent);
const csvOf = data("csv-data");

function compareCells(a, b, numeric) {
  if (a === null || b === null) return (a === null) - (b === null);
  return numeric ? Number(a) - Number(b) : a.localeCompare(b, "en", { numeric: true });
}

function sortBy(table, column, direction) {
  const numeric = [...table.querySelectorAll("tbody tr:not(.group)")]
    .map((row) => row.cells[column].getAttribute("data-sort"))
    .every((value) => value === null || (value !== "" && !Number.isNaN(Number(value))));
  for (const body of table.tBodies) {
    const rows = [...body.rows].filter((row) => !row.classList.contains("group"));
    const key = (row) => row.cells[column].getAttribute("data-sort");
    rows.sort((x, y) => {
      const [a, b] = [key(x), key(y)];
      const order = compareCells(a, b, numeric);
      // A missing value stays last, whichever way the others go.
      return a === null || b === null ? order : direction * order;
    });
    body.append(...rows);
  }
}

function makeSortable(table) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
  heads.forEach((head, column) => {
    const title = head.querySelector(".title") || head;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...title.childNodes);
    title.append(button);
    button.addEventListener("click", () => {
      const now = head.getAttribute("aria-sort");
      const first = head.classList.contains("number") ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const next = now === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", next);
      sortBy(table, column, next === "ascending" ? 1 : -1);
      say(`Sorted by ${button.textContent.trim()}, ${next}.`);
    });
  });
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.setAttribute("aria-label", "Copied text");
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

function saveFile(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The page's colours turn with light and dark; a file has those of the light page.
const LIGHT = data("colours");
function asFile(name) {
  const drawn = document.querySelector(`#f-${CSS.escape(name)} svg`).cloneNode(true);
  const [, , width, height] = drawn.getAttribute("viewBox").split(/\s+/);
  drawn.setAttribute("width", `${width}pt`);
  drawn.setAttribute("height", `${height}pt`);
  let text = new XMLSerializer().serializeToString(drawn);
  for (const [variable, colour] of Object.entries(LIGHT)) text = text.replaceAll(`var(${variable})`, colour);
  return text;
}

async function copyCsv(button, text) {
  const before = button.textContent;
  await copyText(text);
  say("Copied as CSV.");
  button.style.minWidth = `${button.offsetWidth}px`;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1500);
}

document.querySelectorAll("figure.table table").forEach(makeSortable);
document.querySelectorAll("[data-copy]").forEach((button) => {
  button.addEventListener("click", () => copyCsv(button, csvOf[button.dataset.copy]));
});
document.querySelectorAll("[data-save]").forEach((button) => {
  const name = button.dataset.save;
  button.addEventListener("click", () => saveFile(`${name}.svg`, "image/svg+xml", asFile(name)));
});

// What scrolls sideways can be reached and scrolled by keyboard; what does not is no stop.
function fade(box) {
  box.classList.toggle("more-right", box.scrollWidth - box.clientWidth - box.scrollLeft > 1);
}
function reachable() {
  document.querySelectorAll(".scroll").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    fade(box);
  });
}
reachable();
document.addEventListener("scroll", (event) => {
  if (event.target.classList?.contains("scroll")) fade(event.target);
}, { passive: true, capture: true });
window.addEventListener("resize", reachable);
document.addEventListener("toggle", reachable, true);
