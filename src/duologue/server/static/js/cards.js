// The cards of a turn: numbers choose, Enter goes on, "none" and the others exclude each other, and what is chosen
// and written stays in this tab until it is sent.
import { isComposing } from "./keys.js";

export function beginCards(main, signal) {
  const form = () => main.querySelector("form[data-form=select]");
  const name = () => `duologue:${main.dataset.assignment}:cards:${form().dataset.turn}`;
  const boxes = () => [...form().querySelectorAll("input[name=chosen], input[name=none]")];
  const none = () => form().elements.none;

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
    if (none() && box.name === "none" && box.checked) boxes().forEach((other) => { other.checked = other === box; });
    if (none() && box.name === "chosen" && box.checked) none().checked = false;
    settle();
    keep();
  };

  // A better reply is asked for only where none is chosen.
  const settle = () => {
    const written = form().querySelector(".written");
    if (written) written.hidden = !none()?.checked;
  };

  const press = (event) => {
    if (!form() || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isWriting = event.target.matches?.("textarea");
    if (event.key === "Enter" && !event.shiftKey && !event.target.closest?.("a, button, summary")) {
      event.preventDefault();
      if (!event.repeat) form().requestSubmit();
    } else if (isWriting && event.key === "Escape") {
      none()?.focus();
    } else if (!isWriting && /^[1-9]$/.test(event.key) && !event.repeat) {
      const box = boxes()[Number(event.key) - 1];
      if (!box) return;
      event.preventDefault();
      box.checked = box.type === "radio" || !box.checked;
      box.focus();
      box.dispatchEvent(new Event("change", { bubbles: true }));
      if (box.name === "none" && box.checked) form().elements.written?.focus();
    }
  };

  main.addEventListener("change", (event) => { if (boxes().includes(event.target)) changed(event.target); }, { signal });
  main.addEventListener("input", (event) => { if (event.target.name === "written") keep(); }, { signal });
  document.addEventListener("keydown", press, { signal });

  return {
    // Cards have just been shown.
    show: () => { if (form()) { restore(); settle(); } },
    isMine: (sent) => sent === form(),
    // Whether something is chosen that can be sent; the browser's own check would stop at the first card.
    isReady: () => boxes().some((box) => box.checked),
    sent: () => { try { sessionStorage.removeItem(name()); } catch { /* As above. */ } },
    focus: () => boxes()[0]?.focus({ preventScroll: true }),
  };
}
