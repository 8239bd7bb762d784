// What is copied from a terminal is what a reader types: no prompts, and nothing that was printed.
document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest(".language-console [data-clipboard-target]");
    if (!button) return;
    const lines = document.querySelector(button.dataset.clipboardTarget).textContent.split("\n");
    const typed = lines.filter((line) => line.startsWith("$ ")).map((line) => line.slice(2));
    button.dataset.clipboardText = typed.join("\n") + "\n";
  },
  true,
);
