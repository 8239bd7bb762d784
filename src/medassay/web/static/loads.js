// Stands in each page itself, so that it is there whatever else is lost: says why a page is not whole,
// and tries again. What it is written with is as old as any browser that it must tell.
(function () {
  "use strict";
  var root = document.documentElement;
  /** What the pages are made with; the newest of it decides which browsers they need. */
  var works =
    window.AbortSignal && "timeout" in AbortSignal && window.HTMLDialogElement && "showModal" in HTMLDialogElement.prototype && window.CSS && CSS.supports("selector(:has(*))") && CSS.supports("height", "1dvh");
  var waits = [2000, 4000, 8000, 16000, 30000];
  var slow = 10000;
  var tries = (history.state && history.state.tries) || 0;
  var missing = 0;

  /** "loads", "lost" or "old": what is in sight, with the style sheet or without. */
  function show(state) {
    var needs = document.getElementById("needs");
    var lost = document.getElementById("lost");
    root.setAttribute("data-page", state);
    if (needs) needs.hidden = state !== "old";
    if (lost) lost.hidden = state !== "lost";
  }

  function later(act) {
    // Those who lost it at one time do not all come back at one time.
    setTimeout(act, waits[Math.min(tries, waits.length - 1)] * (1 + Math.random() / 2));
    tries += 1;
  }

  function reload() {
    try {
      history.replaceState({ tries: tries }, "");
    } catch (error) {
      tries = 0; // A page that may keep nothing counts from the beginning.
    }
    location.reload();
  }

  function ours(part) {
    return part.localName === "script" || part.localName === "link";
  }

  function again(part) {
    return /[?]again=/.test(part.src || part.href);
  }

  /** Ask for a part again under another address: browsers keep in mind that a module was lost. */
  function fetchAgain(part) {
    var next = document.createElement(part.localName);
    var from = part.localName === "script" ? "src" : "href";
    for (var at = 0; at < part.attributes.length; at += 1) next.setAttribute(part.attributes[at].name, part.attributes[at].value);
    next.setAttribute(from, part.getAttribute(from).split("?")[0] + "?again=" + tries);
    part.parentNode.replaceChild(next, part);
  }

  document.addEventListener(
    "error",
    function (event) {
      var part = event.target;
      if (!ours(part)) return;
      if (!again(part)) missing += 1;
      show("lost");
      // What has modules of its own cannot know which of them is lost.
      later(part.hasAttribute("data-modules") ? reload : function () { fetchAgain(part); });
    },
    true
  );
  document.addEventListener(
    "load",
    function (event) {
      if (!ours(event.target)) return;
      if (event.target.hasAttribute("data-modules") && history.state && history.state.tries) history.replaceState(null, "");
      if (again(event.target)) missing -= 1;
      if (!missing && root.getAttribute("data-page") === "lost") show("loads");
    },
    true
  );
  // A script that came and cannot be read, or stops before it has made its page.
  addEventListener("error", function () { if (document.getElementById("needs")) show("old"); });
  document.addEventListener("readystatechange", function () { show(root.getAttribute("data-page")); });
  document.addEventListener("click", function (event) {
    if (event.target.id === "again") reload();
  });
  show(works ? "loads" : "old");
  setTimeout(function () {
    if (!document.getElementById("needs") || root.getAttribute("data-page") !== "loads") return;
    show("lost");
    later(function () { if (document.getElementById("needs")) reload(); });
  }, slow);
})();
