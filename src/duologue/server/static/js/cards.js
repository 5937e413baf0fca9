// The cards of a turn: numbers choose, Enter goes on, "none" and the others exclude each other, and what is chosen
// and written stays in this tab until it is sent. Where several questions are asked about the cards, numbers answer the
// one that has the focus, or else the first that is open; Enter goes on to the next open one and sends when none is left.
import { goTo, isComposing } from "./keys.js";

export function beginCards(main, signal) {
  const form = () => main.querySelector("form[data-form=select]");
  const name = () => `duologue:${main.dataset.assignment}:cards:${form().dataset.turn}`;
  const questions = () => [...form().querySelectorAll("fieldset[data-question]")];
  const boxesOf = (part) => [...part.querySelectorAll("input[type=radio], input[type=checkbox]")];
  const boxes = () => questions().flatMap(boxesOf);
  const none = () => form().elements.none;
  const isOpen = (question) => !boxesOf(question).some((box) => box.checked);
  // The reply that is written belongs to the first question.
  let held = null; // the number that chose, while its key is down: the key's repeats are no text
  const focused = () => {
    const place = document.activeElement;
    return place?.matches(".written textarea") ? questions()[0] : questions().find((one) => one.contains(place));
  };

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
      for (const other of boxesOf(box.closest("fieldset"))) {
        if (other !== box && (isNone || "none" in other.dataset)) other.checked = false;
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
  };

  // On to the next open question, the one after this first; where none is left all is sent.
  const goOn = () => {
    const asked = questions(), here = asked.indexOf(focused());
    const open = [...asked.slice(here + 1), ...asked.slice(0, Math.max(here, 0))].find(isOpen);
    if (!open || (here < 0 ? asked.every(isOpen) : isOpen(asked[here]))) return form().requestSubmit();
    goToQuestion(open);
  };

  // To a question, and to none of its cards: the one with the focus would look almost chosen.
  const goToQuestion = (question) => {
    const legend = question.querySelector("legend");
    legend.tabIndex = -1;
    legend.focus({ preventScroll: true });
    question.scrollIntoView({ block: "nearest" });
  };

  const choose = (event) => {
    const question = focused() ?? questions().find(isOpen) ?? questions()[0];
    const box = boxesOf(question)[Number(event.key) - 1];
    if (!box) return;
    event.preventDefault();
    held = event.key;
    box.checked = box.type === "radio" || !box.checked;
    box.focus();
    box.dispatchEvent(new Event("change", { bubbles: true }));
    if (box === none() && box.checked) form().elements.written?.focus();
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
  document.addEventListener("keydown", press, { signal });
  document.addEventListener("keyup", () => { held = null; }, { signal });

  return {
    // Cards have just been shown.
    show: () => {
      if (!form()) return;
      form().noValidate = true; // the browser would go to the first card
      restore();
      settle();
    },
    isMine: (sent) => sent === form(),
    // The field of the first question that is still open; the browser's own check would stop at the first card.
    open: () => { const asked = questions().find(isOpen); return asked ? boxesOf(asked)[0].name : null; },
    sent: () => { try { sessionStorage.removeItem(name()); } catch { /* As above. */ } },
    focus: () => { if (form()) goToQuestion(questions()[0]); },
    focusOn: (field) => {
      const control = form().querySelector(`[name="${field}"]`);
      if (control?.matches("textarea")) goTo(control);
      else if (control) goToQuestion(control.closest("fieldset"));
    },
  };
}
