// What script adds to a live chat: turns come by themselves, Enter sends, and what is being written stays.
import { beginCards } from "./cards.js";
import { Draft } from "./draft.js";
import { VisibleClock } from "./clock.js";
import { follow } from "./follow.js";
import { isComposing } from "./keys.js";
import { followLength, tooLong } from "./length.js";
import { send } from "./send.js";
import { followWaiting } from "./waiting.js";

const LITTLE_ROOM = matchMedia("(max-width: 819px), (max-height: 599px)");

export function beginChat(main, { show, say, words }) {
  const form = main.querySelector("form[data-form=say]");
  const { text, key, seconds } = form.elements;
  const button = form.querySelector("button");
  const problem = main.querySelector(".problem");
  const log = main.querySelector(".log");
  const draft = new Draft(main.dataset.assignment);
  const listeners = new AbortController(), following = new AbortController();
  const { signal } = listeners;
  const cards = beginCards(main, signal);
  followWaiting(main, signal);
  let clock = new VisibleClock(draft.seconds);
  let speaking = false, stepping = false, folded = false, offering;

  const state = () => main.dataset.chatState;
  const stop = () => { listeners.abort(); following.abort(); clock.stop(); clearTimeout(offering); };
  const complain = (message) => { say(""); problem.textContent = message; };
  const keep = () => draft.keepText(text.value, clock.seconds());
  const count = () => followLength(main, { words, signal });

  // Show a chat as it stands now: new turns are added, regions replaced, what is being written stays.
  const update = (next) => {
    if (!next.matches(".chat") || next.dataset.assignment !== main.dataset.assignment) {
      stop();
      draft.forget();
      return show(next, { saved: false });
    }
    if (Number(next.dataset.change) < Number(main.dataset.change)) return;
    const before = state();
    main.dataset.change = next.dataset.change;
    main.dataset.chatState = next.dataset.chatState;
    const added = addTurns(main, next);
    main.querySelector("progress").value = next.querySelector("progress").value;
    for (const region of next.querySelectorAll("[data-region]")) {
      const old = main.querySelector(`[data-region="${region.dataset.region}"]`);
      if (old.outerHTML !== region.outerHTML) old.replaceWith(region);
    }
    if (added.some((turn) => isMine(turn) && turnText(turn) === text.value.trim())) sent(next, text.value);
    settle(next);
    const isNewTurn = state() !== before && (state() === "annotator" || state() === "choosing");
    if (isNewTurn) { clock.stop(); clock = new VisibleClock(); }
    if (state() === "choosing" && before !== "choosing") cards.show();
    count();
    if (state() === "annotator" && before === "choosing") text.focus({ preventScroll: true });
    if (added.length || state() !== before) reveal(added);
    if (state() === "ended") finish();
  };

  // Scroll to what is new: to the end, or of replies that come together to the first, to read them in order.
  const reveal = (added) => {
    log.scrollTop = log.scrollHeight;
    const first = main.querySelector(".threads") && added.find((turn) => !isMine(turn));
    const head = main.querySelector(".heads")?.offsetHeight ?? 0;
    if (first) log.scrollTop += Math.min(0, first.getBoundingClientRect().top - log.getBoundingClientRect().top - head - 16);
  };

  // Our turn is stored: the next one has a key of its own.
  const sent = (next, said) => {
    if (text.value === said) text.value = "";
    draft.forget();
    key.value = next.querySelector("form[data-form=say]").elements.key.value;
    if (speaking) text.focus({ preventScroll: true });
    speaking = false;
  };

  // Where there is little room, what to do is folded up once the first message was sent; one can open it again.
  const fold = () => {
    if (folded || !main.querySelector(".turn.mine") || !LITTLE_ROOM.matches) return;
    folded = true;
    main.querySelector("details.how").open = false;
  };

  // Whether one can write, and send.
  const settle = (now) => {
    fold();
    const hidden = now.querySelector("form[data-form=say]").hidden;
    const hadFocus = form.contains(document.activeElement);
    form.hidden = hidden;
    text.disabled = hidden;
    if (state() === "annotator") button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
    const isLost = [document.body, main].includes(document.activeElement); // what had it is gone
    if (hidden && (hadFocus || isLost)) {
      if (state() === "choosing") cards.focus();
      else main.querySelector(".steps :is(a, button)")?.focus();
    }
    offer();
  };

  // A partner who takes long: the way out that is in the page shows when its time has come.
  const offer = () => {
    clearTimeout(offering);
    const way = main.querySelector("[data-offer-in][hidden]");
    if (way) offering = setTimeout(() => { way.hidden = false; }, 1000 * Number(way.dataset.offerIn) + 200);
  };

  const finish = () => { following.abort(); clock.stop(); draft.forget(); };

  const speak = async () => {
    if (speaking || state() !== "annotator" || !text.value.trim()) return;
    if (tooLong(text, words)) return complain(tooLong(text, words));
    speaking = true;
    problem.textContent = "";
    button.setAttribute("aria-disabled", "true");
    seconds.value = clock.seconds().toFixed(1);
    keep();
    const said = text.value, ours = key.value;
    const outcome = await send(form);
    if (key.value !== ours) return; // the stream has told of it before: the next turn may be under way
    speaking = false;
    if (outcome.gone) return location.reload();
    if (outcome.main) {
      if (outcome.main.matches(".chat")) sent(outcome.main, said);
      update(outcome.main);
    } else {
      settle(main);
      if (!outcome.stale) complain(outcome.message ?? words.notSaved);
    }
    text.focus({ preventScroll: true });
  };

  // End, try again, go on: the answer is the chat as it stands, or what comes next.
  const step = async (chosen) => {
    if (stepping || (speaking && state() !== "choosing")) return; // replies may be here before the answer to our turn
    const isChoice = cards.isMine(chosen);
    const open = isChoice && cards.open();
    if (open) { complain(cards.missing()); return cards.focusOn(open); }
    const long = isChoice && tooLong(chosen.elements.written, words);
    if (long) { complain(long); return cards.focusOn("written"); }
    if (isChoice) chosen.elements.seconds.value = clock.seconds().toFixed(1);
    stepping = true; // what follows from it may be known before its answer is here: one can speak then
    problem.textContent = "";
    const outcome = await send(chosen);
    stepping = false;
    if (outcome.main && isChoice) cards.sent();
    if (outcome.main) update(outcome.main);
    else if (outcome.stale || outcome.gone) location.reload();
    else {
      complain(outcome.message ?? words.notSaved);
      if (isChoice && outcome.field) cards.focusOn(outcome.field);
    }
  };

  LITTLE_ROOM.addEventListener("change", fold, { signal });
  form.noValidate = true;
  main.addEventListener("change", () => { problem.textContent = ""; log.scrollTop = log.scrollHeight; }, { signal });
  main.addEventListener("input", () => { problem.textContent = ""; }, { signal });
  main.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target === form) speak();
    else step(event.target);
  }, { signal });
  text.addEventListener("keydown", (event) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") log.focus();
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    if (!event.repeat) form.requestSubmit();
  }, { signal });
  text.addEventListener("input", () => { problem.textContent = ""; keep(); }, { signal });
  addEventListener("pagehide", keep, { signal });

  if (!text.value && draft.text !== lastOwn(main)) text.value = draft.text;
  cards.show();
  count();
  settle(main);
  log.scrollTop = log.scrollHeight;
  if (state() === "annotator") text.focus({ preventScroll: true });
  if (state() === "choosing") cards.focus();
  if (state() !== "ended") follow(main, update, following.signal);
}

function addTurns(main, next) {
  const list = main.querySelector(".turns");
  const fresh = [...next.querySelectorAll(".turns > .turn")].slice(list.children.length);
  list.append(...fresh);
  return fresh;
}

const isMine = (turn) => turn.classList.contains("mine");
const turnText = (turn) => turn.querySelector(".text").textContent.trim();
const lastOwn = (main) => [...main.querySelectorAll(".turn.mine .text")].at(-1)?.textContent ?? "";
