// Reasons and intervals on demand: at the pointer, on focus, away with Escape. And the contents.
const tip = document.getElementById("tip");
let tipFor = null;

function showTip(target) {
  tip.textContent = target.dataset.detail;
  tip.hidden = false;
  tipFor = target;
  target.setAttribute("aria-describedby", "tip");
  const at = target.getBoundingClientRect();
  const size = tip.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left), document.documentElement.clientWidth - size.width - 8);
  const below = at.bottom + 4;
  const top = below + size.height > window.innerHeight ? at.top - size.height - 4 : below;
  tip.style.left = `${left}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}

function hideTip() {
  if (tipFor) tipFor.removeAttribute("aria-describedby");
  tipFor = null;
  tip.hidden = true;
}

const detailOf = (event) => event.target.closest && event.target.closest("[data-detail]");
for (const kind of ["mouseover", "focusin", "click"]) {
  document.addEventListener(kind, (event) => {
    const target = detailOf(event);
    if (target) showTip(target);
    else if (!tip.contains(event.target)) hideTip();
  });
}
document.addEventListener("focusout", hideTip);
document.addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });
// Stepping to a cell may scroll to it: the detail goes along, and away when its cell leaves.
window.addEventListener("scroll", () => {
  if (!tipFor) return;
  const at = tipFor.getBoundingClientRect();
  if (at.bottom < 0 || at.top > window.innerHeight) hideTip();
  else showTip(tipFor);
}, { passive: true, capture: true });

const links = [...document.querySelectorAll(".contents a")];
const places = links.map((link) => document.getElementById(link.hash.slice(1)));
function markPlace() {
  const passed = places.filter((place) => place && place.getBoundingClientRect().top < window.innerHeight / 3);
  const here = passed[passed.length - 1] || places[0];
  links.forEach((link, i) => {
    if (places[i] === here) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}
markPlace();
window.addEventListener("scroll", markPlace, { passive: true });

// A chapter opens for whoever is sent to it, all on demand, and all for the printer.
const folds = [...document.querySelectorAll(".chapter > details")];
function openTo(id) {
  const target = id && document.getElementById(id);
  if (!target) return;
  const own = target.matches(".chapter") ? target.querySelector("details") : target.matches("details") ? target : null;
  if (own) own.open = true;
  for (let at = target.parentElement; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
  target.scrollIntoView();
}
const hashed = () => { try { return decodeURIComponent(location.hash.slice(1)); } catch { return ""; } };
function followHash() {
  const id = hashed();
  openTo(id.startsWith("case-") ? "cases" : id);
}
window.addEventListener("hashchange", followHash);
document.addEventListener("click", (event) => {
  const link = event.target.closest && event.target.closest("a[href^='#']");
  if (link && link.hash === location.hash) followHash();
});
followHash();
const unfold = document.getElementById("unfold");
unfold.addEventListener("click", () => {
  const opens = folds.some((fold) => !fold.open);
  folds.forEach((fold) => { fold.open = opens; });
  unfold.setAttribute("aria-expanded", String(opens));
  unfold.textContent = opens ? "Close all chapters" : "Open all chapters";
});
let closed = [];
window.addEventListener("beforeprint", () => {
  closed = [...document.querySelectorAll(".chapter > details, details.part")].filter((fold) => !fold.open);
  closed.forEach((fold) => { fold.open = true; });
});
window.addEventListener("afterprint", () => closed.forEach((fold) => { fold.open = false; }));
