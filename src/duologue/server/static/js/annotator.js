// What script adds to an annotator's pages: keys, seconds, drafts, and sending without a new page.
// Everything works without it, as plain forms.
import { chooseByKey } from "./keys.js";
import { Draft } from "./draft.js";
import { followJumps } from "./jump.js";
import { send } from "./send.js";
import { VisibleClock } from "./clock.js";

const words = document.body.dataset;
const status = document.getElementById("status");

function begin(main) {
  const form = main.querySelector("form[data-part]");
  if (!form) return;
  const draft = new Draft(main.dataset.assignment);
  draft.restore(form);
  const clock = new VisibleClock(draft.seconds);
  const keep = () => draft.keep(form, clock.seconds());
  const problem = form.querySelector(".problem");
  const button = form.querySelector("button[type=submit]");
  let sending = false;

  const complain = (message, field) => {
    say("");
    problem.textContent = message;
    if (field) form.querySelector(`[name="${field}"]`)?.focus();
  };

  const submit = async () => {
    if (sending) return;
    const fault = faultOf(form);
    if (fault) return complain(...fault);
    sending = true;
    problem.textContent = "";
    button.setAttribute("aria-disabled", "true");
    say(words.saving);
    form.elements.seconds.value = clock.seconds().toFixed(1);
    keep();
    const outcome = await send(form);
    sending = false;
    button.removeAttribute("aria-disabled");
    if (outcome.gone) return location.reload();
    if (!outcome.main) return complain(outcome.message ?? words.notSaved, outcome.field);
    stop();
    draft.forget();
    show(outcome.main);
  };

  const listeners = new AbortController();
  const stop = () => { listeners.abort(); clock.stop(); };
  const { signal } = listeners;
  form.noValidate = true;
  form.addEventListener("submit", (event) => { event.preventDefault(); submit(); }, { signal });
  form.addEventListener("input", () => { problem.textContent = ""; keep(); }, { signal });
  document.addEventListener("keydown", (event) => chooseByKey(event, form), { signal });
  document.addEventListener("visibilitychange", keep, { signal });
  addEventListener("pagehide", keep, { signal });
  followJumps(main, signal);
}

function faultOf(form) {
  const answered = new FormData(form);
  if (!answered.get("choice")) return [words.chooseFirst, "choice"];
  const reason = form.elements.reason;
  if (reason?.required && !reason.value.trim()) return [words.reasonMissing, "reason"];
  return null;
}

function show(main) {
  document.querySelector("main").replaceWith(main);
  scrollTo(0, 0);
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
  say(words.saved, "is-saved");
  begin(main);
}

let hush;
function say(text, className = "") {
  clearTimeout(hush);
  status.textContent = text;
  status.className = `status ${className}`;
  if (className) hush = setTimeout(() => say(""), 4000);
}

begin(document.querySelector("main"));
