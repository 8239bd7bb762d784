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
