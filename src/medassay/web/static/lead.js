// The lead's page is live: it is asked for anew each minute while somebody looks at it.

const MINUTE = 60_000;

setInterval(async () => {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.pathname, { cache: "no-store", redirect: "error" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const live = page.getElementById("live");
    if (live) document.getElementById("live").replaceWith(live);
  } catch {
    // No line: the page stays as it is.
  }
}, MINUTE);
