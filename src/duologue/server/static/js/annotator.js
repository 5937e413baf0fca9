// What script adds to an annotator's pages: keys, seconds, drafts, and sending without a new page.
// Everything works without it, as plain forms. A protocol's own script (`page.js`) hears of every page by the event
// `duologue-page`, with its `main` and a `signal` that ends when the page is left.
import { beginCards } from "./cards.js";
import { beginChat } from "./chat.js";
import { followCopy } from "./copy.js";
import { followDeadline } from "./deadline.js";
import { followKeys } from "./keys.js";
import { Draft } from "./draft.js";
import { followJumps } from "./jump.js";
import { followLength, tooLong } from "./length.js";
import { followProblem } from "./problem.js";
import { followReading } from "./reading.js";
import { send } from "./send.js";
import { followQuestions } from "./together.js";
import { VisibleClock } from "./clock.js";

const words = document.body.dataset;
const status = document.getElementById("status");
const SAVED_MS = 4000; // so long "saved" is said

let leaving = new AbortController();

function begin(main) {
  leaving.abort();
  leaving = new AbortController();
  document.dispatchEvent(new CustomEvent("duologue-page", { detail: { main, signal: leaving.signal } }));
  followDeadline(main, { say, signal: leaving.signal });
  followCopy(main, { say, signal: leaving.signal });
  const reading = followReading(main, { words, signal: leaving.signal });
  if (main.matches(".chat")) return beginChat(main, { show, say, words });
  const form = main.querySelector("form[data-part]");
  const draft = new Draft(main.dataset.assignment);
  if (form) draft.restore(form);
  followLength(main, { words, signal: leaving.signal });
  if (!form) return;
  const clock = new VisibleClock(draft.seconds);
  const keep = () => draft.keep(form, clock.seconds());
  const listeners = new AbortController();
  const { signal } = listeners;
  const cards = form.matches("[data-form=select]") ? beginCards(main, signal) : null;
  const questions = form.matches("[data-together]") ? followQuestions(form, clock, signal) : null;
  const problem = followProblem(form.querySelector(".problem"));
  const button = form.querySelector("button[type=submit]");
  let sending = false;

  const complain = (message, field) => {
    say("");
    const place = field ? cards?.placeOf(field) ?? placeOf(form, field) : null;
    questions?.showTheOneOf(place);
    problem.say(message, place);
  };

  const submit = async (submitter) => {
    if (sending) return;
    const here = questions && faultOf(form, cards, questions.here());
    if (questions && !here && questions.goOn()) return problem.clear();
    const fault = submitter?.formNoValidate ? null : here ?? faultOf(form, cards) ?? reading.fault();
    if (fault) return complain(...fault);
    sending = true;
    problem.clear();
    button.setAttribute("aria-disabled", "true");
    say(words.saving);
    form.elements.seconds.value = clock.seconds().toFixed(1);
    questions?.tick();
    keep();
    const outcome = await send(form, submitter);
    sending = false;
    button.removeAttribute("aria-disabled");
    if (outcome.gone || outcome.stale) return location.reload();
    if (!outcome.main) return complain(outcome.message ?? words.notSaved, outcome.field);
    stop();
    cards?.sent();
    if (outcome.main.dataset.assignment === main.dataset.assignment) draft.keepSeconds(clock.seconds());
    else draft.forget();
    show(outcome.main, { saved: outcome.outcome === "saved" });
  };

  const stop = () => { listeners.abort(); clock.stop(); };
  form.noValidate = true;
  form.addEventListener("submit", (event) => { event.preventDefault(); submit(event.submitter); }, { signal });
  form.addEventListener("change", ({ target }) => {
    if (target.matches("[type=radio], [type=checkbox]")) problem.clear(); // a text is only left, not mended
  }, { signal });
  form.addEventListener("input", () => { problem.clear(); keep(); }, { signal });
  if (cards) cards.show();
  else followKeys(form, signal, questions);
  for (const pane of main.querySelectorAll("[data-at-end]")) pane.scrollTop = pane.scrollHeight;
  document.addEventListener("visibilitychange", keep, { signal });
  addEventListener("pagehide", keep, { signal });
  followJumps(main, signal);
}

// What is to be mended when a field is wrong: its question, where this can have the focus (an answer with a frame looks almost
// chosen); where a row has one place at most, the first row that has none.
function placeOf(form, field) {
  const question = form.querySelector(`[data-question="${field}"]`);
  if (question) return question;
  const controls = [...form.querySelectorAll(field === "choice" ? "input[type=radio]" : `[name="${field}"]`)];
  const taken = form.matches("[data-exclusive]")
    ? [...form.querySelectorAll("input[type=radio]:checked")].map((radio) => radio.value) : [];
  return controls.find((control) => !taken.includes(control.value)) ?? controls[0];
}

// What is to be mended before all is sent; of several questions, before the next one comes.
function faultOf(form, cards, question = form) {
  const left = cards?.open();
  if (left) return [cards.missing(), left];
  const answered = new FormData(form);
  const asked = [...question.querySelectorAll("input[type=radio]")];
  const open = asked.find((radio) => (radio === asked[0] || radio.required) && !answered.get(radio.name));
  if (open) return [form.dataset.missing ?? words.chooseFirst, open.name];
  const reason = question === form || question.matches("[data-reason]") ? form.elements.reason : null;
  if (reason?.required && !reason.value.trim()) return [words.reasonMissing, "reason"];
  const long = [...form.querySelectorAll("textarea")].find((box) => tooLong(box, words));
  return long ? [tooLong(long, words), long.name] : null;
}

function show(main, { saved }) {
  document.querySelector("main").replaceWith(main);
  scrollTo({ top: 0, behavior: "instant" }); // or keys and what is in sight are still of the page before
  main.tabIndex = -1;
  main.focus({ preventScroll: true });
  say(saved ? words.saved : "", saved ? "is-saved" : "");
  if (saved) noteSaved(main.querySelector(".progress"));
  begin(main);
}

// In the header for a moment, where it covers nothing; the status is then for those who cannot see it.
function noteSaved(progress) {
  if (!progress) return;
  const note = progress.querySelector(".saved") ?? document.createElement("span");
  note.className = "saved brief";
  note.textContent = words.saved;
  progress.prepend(note);
  setTimeout(() => note.remove(), SAVED_MS);
}

let hush;
function say(text, className = "") {
  clearTimeout(hush);
  status.textContent = text;
  status.className = `status ${className}`;
  if (className) hush = setTimeout(() => say(""), SAVED_MS);
}

// What became of an answer is said once: a page that is loaded again says only what is so then.
const address = new URL(location);
for (const outcome of ["saved", "unsaved", "late"]) address.searchParams.delete(outcome);
if (address.href !== location.href) history.replaceState(history.state, "", address);

if (document.querySelector(".saved")) noteSaved(document.querySelector(".progress"));
begin(document.querySelector("main"));
