// One button opens all answers as they were written; without a script each has a line to open.

const button = document.querySelector("button.written");
const raw = [...document.querySelectorAll("details.raw")];

if (button && raw.length) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const open = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(open));
    for (const one of raw) one.open = open;
  });
}
