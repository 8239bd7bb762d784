// The door: what stands behind # in the link goes into the form, and out of the address bar.
// Nothing is sent before the button is pressed.

if (document.documentElement.dataset.page !== "old") document.getElementById("needs").remove();
document.getElementById("works").hidden = false;

const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("come-in");
  form.elements.token.value = token;
  form.hidden = false;
  document.getElementById("no-link")?.remove();
  // What stands behind # outlives the way over /language and back, and is sent to nobody.
  document.querySelector(".languages").action += `#${token}`;
  form.querySelector("button").focus();
}
