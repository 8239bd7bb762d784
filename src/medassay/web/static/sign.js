// Signatures: a passphrase is chosen once, and given again for each batch that is done.

import { at, h, t } from "./dom.js";

const SHORTEST = 12;

/** Choose a passphrase, typed twice; the server keeps its hash alone. */
export function passphrase(room, now) {
  const first = field("passphrase.first", "new-password", room, "passphrase-rule");
  const again = field("passphrase.again", "new-password", room);
  const told = alert();
  const set = h("button", { class: "main" }, t("passphrase.set"));
  const form = h(
    "form",
    {
      class: "signing",
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        told.clear([first, again]);
        if (first.input.value.trim().length < SHORTEST) return told.say(t("error.too_simple"), first);
        if (first.input.value !== again.input.value) return told.say(t("passphrase.differ"), again);
        const receipt = await sent(room, set, told, "/api/passphrase", { passphrase: first.input.value });
        if (receipt?.refusal?.word === "too_simple") told.say(t("error.too_simple"), first);
        else if (receipt) await room.go();
      },
    },
    name(room),
    first.element,
    h("p", { class: "soft", id: "passphrase-rule" }, t("passphrase.rule")),
    again.element,
    shown([first, again]),
    told.element,
    h("p", {}, set),
  );
  return h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, h("bdi", {}, room.start.title)),
    h("h1", {}, t("passphrase.title")),
    now.renewed ? h("p", { class: "note" }, t("passphrase.renewed")) : null,
    h("p", {}, t("passphrase.what")),
    form,
    h("p", { class: "soft" }, t("passphrase.kept")),
  );
}

/** Sign the batches that are done: what they hold, what the signature says, the passphrase. */
export function sign(room, now) {
  const due = now.signing;
  const secret = field("sign.passphrase", "current-password", room);
  const told = alert();
  const go = h("button", { class: "main" }, t("sign.do"));
  const meaning = due.some((one) => one.meaning === "correction") ? "correction" : "authorship";
  const form = h(
    "form",
    {
      class: "signing",
      novalidate: true,
      onsubmit: async (event) => {
        event.preventDefault();
        told.clear([secret]);
        if (!secret.input.value.trim()) return told.say(t("sign.empty"), secret);
        const batches = due.map(({ batch, sha256 }) => ({ batch, sha256 }));
        const receipt = await sent(room, go, told, "/api/signatures", { passphrase: secret.input.value, batches });
        if (!receipt) return;
        const word = receipt.refusal?.word;
        secret.input.value = "";
        if (word === "wrong_passphrase") told.say(t("sign.wrong", { left: receipt.left }), secret);
        else if (word === "too_many_tries") told.say(t("sign.wait", { minutes: receipt.wait }), secret);
        else await room.go();
      },
    },
    name(room),
    secret.element,
    shown([secret]),
    told.element,
    h(
      "p",
      { class: "row" },
      go,
      h("button", { type: "button", onclick: () => room.open(due[0].code) }, t("sign.look")),
    ),
  );
  return h(
    "section",
    { class: "sheet" },
    h("p", { class: "over" }, h("bdi", {}, room.start.title)),
    h("h1", {}, t("sign.title")),
    h("p", {}, t("sign.told")),
    listOf(due),
    h("blockquote", { class: "says" }, h("p", { class: "over" }, t("sign.says")), h("p", { dir: "auto" }, t(`sign.${meaning}`)), h("p", { class: "soft" }, t("sign.as", { rater: room.start.who }))),
    form,
    h("details", { class: "forgot" }, h("summary", {}, t("sign.forgot")), h("p", {}, t("sign.forgot_told"))),
    h("p", { class: "soft" }, t("sign.later")),
  );
}

function listOf(due) {
  return h(
    "table",
    { class: "signed" },
    h("caption", { class: "aside-only" }, t("sign.title")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("sign.batch")), h("th", { scope: "col", class: "number" }, t("sign.answers")), h("th", { scope: "col", class: "number" }, t("sign.labels")))),
    h(
      "tbody",
      {},
      due.map((one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, String(one.batch), one.meaning === "correction" ? h("span", { class: "soft" }, ` · ${t("sign.changed")}`) : null),
          h("td", { class: "number" }, String(one.answers)),
          h("td", { class: "number" }, String(one.labels)),
        ),
      ),
    ),
  );
}

/** Send something once; null where it did not arrive, and that is said. */
async function sent(room, button, told, path, body) {
  button.disabled = true;
  try {
    return await room.line.post(path, body);
  } catch (wrong) {
    if (wrong.status === 401) location.assign(at("/in"));
    else if (wrong.status === 403) location.reload();
    else told.say(t(wrong.status === 429 ? "error.too_many" : "sign.no_line"));
    return null;
  } finally {
    button.disabled = false;
  }
}

/** Whom the passphrase is for, where a browser keeps passwords. */
function name(room) {
  return h("input", { type: "text", class: "aside-only", name: "username", value: room.start.who, autocomplete: "username", tabindex: "-1", "aria-hidden": "true", readonly: true });
}

function field(key, kind, room, described = null) {
  const input = h("input", {
    type: "password",
    class: "secret",
    maxlength: "200",
    required: true,
    spellcheck: "false",
    autocapitalize: "none",
    // On a shared computer the browser is asked to keep nothing.
    autocomplete: room.start.shared ? "off" : kind,
    "aria-describedby": described,
  });
  return { input, element: h("label", { class: "secret-label" }, h("span", {}, t(key)), input) };
}

function shown(fields) {
  const box = h("input", {
    type: "checkbox",
    onchange: () => fields.forEach(({ input }) => input.setAttribute("type", box.checked ? "text" : "password")),
  });
  return h("label", { class: "check" }, box, t("passphrase.show"));
}

/** A line that says what is wrong, and is read aloud as it appears. */
function alert() {
  const element = h("p", { class: "wrong", role: "alert" });
  return {
    element,
    say(text, field = null) {
      element.textContent = text;
      field?.input.setAttribute("aria-invalid", "true");
      field?.input.focus();
    },
    clear(fields) {
      element.textContent = "";
      for (const { input } of fields) input.removeAttribute("aria-invalid");
    },
  };
}
