// The cards of a turn: numbers choose, Enter goes on, "none" and the others exclude each other, and what is chosen
// and written stays in this tab until it is sent. Where several questions are asked about the cards, numbers answer the
// one that has the focus, or else the first that is open; Enter goes on to the next open one and sends when none is left.
// Whoever writes a better reply comes to the box when all questions are answered: there numbers are text.
// The focus comes to a question, never to a card: a card with a frame looks almost chosen.
import { goTo, isComposing } from "./keys.js";

export function beginCards(main, signal) {
  const form = () => main.querySelector("form[data-form=select]");
  const name = () => `duologue:${main.dataset.assignment}:cards:${form().dataset.turn}`;
  const questions = () => [...form().querySelectorAll("[data-question]")];
  const boxes = () => [...form().querySelectorAll("[data-asks]")];
  const boxesOf = (question) => boxes().filter((box) => box.dataset.asks === question.dataset.question);
  const none = () => form().elements.none;
  const isOpen = (question) => !boxesOf(question).some((box) => box.checked);
  let held = null; // the number that chose, while its key is down: the key's repeats are no text
  // The question with the focus; a reply that is written belongs to the first one.
  const focused = () => {
    const place = document.activeElement;
    if (place?.matches(".written textarea")) return questions()[0];
    return questions().find((one) => one === place || boxesOf(one).includes(place));
  };
  const current = () => focused() ?? questions().find(isOpen) ?? questions()[0];

  const keep = () => {
    const chosen = boxes().map((box) => box.checked);
    try {
      sessionStorage.setItem(name(), JSON.stringify({ chosen, written: form().elements.written?.value ?? "" }));
    } catch { /* No storage (a strict frame): nothing is kept, everything else works. */ }
  };

  const restore = () => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(name()));
      if (!kept || boxes().some((box) => box.checked)) return;
      boxes().forEach((box, place) => { box.checked = kept.chosen[place] ?? false; });
      if (form().elements.written) form().elements.written.value = kept.written;
    } catch { /* As above. */ }
  };

  const changed = (box) => {
    if (box.checked && box.type === "checkbox") {
      const isNone = "none" in box.dataset;
      for (const other of boxes()) {
        const excludes = other.dataset.asks === box.dataset.asks && (isNone || "none" in other.dataset);
        if (other !== box && excludes) other.checked = false;
      }
    }
    settle();
    if (box === none() && box.checked) form().querySelector(".written")?.scrollIntoView({ block: "end" });
    keep();
  };

  // A better reply is asked for only where none is chosen.
  const settle = () => {
    const written = form().querySelector(".written");
    if (written) written.hidden = !none()?.checked && !written.querySelector("textarea").value;
    mark();
  };

  // The question that numbers answer now is marked, where there are several.
  const mark = () => {
    const now = current();
    for (const one of questions()) one.toggleAttribute("data-now", one === now);
  };

  // What is to be mended when a field is wrong: its question, or the text.
  const placeOf = (field) => questions().find((one) => one.dataset.question === field) ?? form().elements[field];

  const goToQuestion = (question) => {
    question.focus({ preventScroll: true });
    question.scrollIntoView({ block: "nearest" });
  };

  // And all of it in sight, over the button that stays below.
  const goInSight = (place) => {
    goTo(place);
    place.scrollIntoView({ block: "nearest", behavior: "instant" });
  };

  // The box, where a better reply is to be written, all else is answered, and nothing is written yet.
  const emptyBox = () => {
    const box = none()?.checked && !questions().some(isOpen) ? form().elements.written : null;
    return box && box !== document.activeElement && !box.value.trim() ? box : null;
  };

  // On to the next open question, the one after this first, and then to the box; where nothing is left all is sent.
  const goOn = () => {
    const asked = questions(), here = asked.indexOf(focused());
    const open = [...asked.slice(here + 1), ...asked.slice(0, Math.max(here, 0))].find(isOpen);
    if (!open && emptyBox()) return goInSight(emptyBox());
    if (!open || (here < 0 ? asked.every(isOpen) : isOpen(asked[here]))) return form().requestSubmit();
    goToQuestion(open);
  };

  const choose = (event) => {
    const box = boxesOf(current())[Number(event.key) - 1];
    if (!box) return;
    event.preventDefault();
    held = event.key;
    box.checked = box.type === "radio" || !box.checked;
    box.focus();
    box.dispatchEvent(new Event("change", { bubbles: true }));
    if (box === none() && emptyBox()) goInSight(emptyBox());
  };

  const press = (event) => {
    if (!form() || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isWriting = event.target.matches?.("textarea");
    if (event.key === "Enter" && !event.shiftKey && !event.target.closest?.("a, button, summary")) {
      event.preventDefault();
      if (!event.repeat) goOn();
    } else if (event.repeat && event.key === held) {
      event.preventDefault();
    } else if (isWriting && event.key === "Escape") {
      none()?.focus();
    } else if (!isWriting && /^[1-9]$/.test(event.key) && !event.repeat) {
      choose(event);
    }
  };

  main.addEventListener("change", (event) => { if (form() && boxes().includes(event.target)) changed(event.target); }, { signal });
  main.addEventListener("input", (event) => { if (event.target.name === "written") keep(); }, { signal });
  // A pointer that lies where a card comes up marks it only once it is moved.
  main.addEventListener("pointermove", () => form()?.removeAttribute("data-fresh"), { signal });
  main.addEventListener("focusin", () => { if (form()) mark(); }, { signal });
  document.addEventListener("keydown", press, { signal });
  document.addEventListener("keyup", () => { held = null; }, { signal });

  return {
    // Cards have just been shown.
    show: () => {
      if (!form()) return;
      form().noValidate = true; // the browser would go to the first card
      form().dataset.fresh = "";
      restore();
      settle();
    },
    isMine: (sent) => sent === form(),
    // The first question that is still open, by its field.
    open: () => questions().find(isOpen)?.dataset.question ?? null,
    missing: () => questions().find(isOpen).dataset.missing,
    sent: () => { try { sessionStorage.removeItem(name()); } catch { /* As above. */ } },
    focus: () => { if (form()) goToQuestion(questions()[0]); },
    focusOn: (field) => { const place = placeOf(field); if (place) goInSight(place); },
    placeOf,
  };
}
