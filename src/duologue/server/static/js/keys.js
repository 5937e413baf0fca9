// Keys: a number chooses and goes on to the reason, where there is one; there, numbers are text and Escape leaves the box.
// Enter submits; Shift+Enter is a new line. A number is the one written at a choice; where there is none, its place.
// Where a row of a table may be chosen in one of several columns only, numbers fill one column after the other.
// In a ranking they fill one place after the other; the number of the last one goes on to the reason.
import { exclusiveColumns } from "./exclusive.js";
import { rankedPlaces } from "./ranking.js";

export function followKeys(form, signal) {
  const reason = form.elements.reason;
  const choices = [...form.querySelectorAll("input[type=radio]")];
  const chosen = () => choices.find((radio) => radio.checked);
  const columns = form.matches("[data-exclusive]") ? exclusiveColumns(form, signal) : null;
  const ranking = form.matches("[data-ranking]") ? rankedPlaces(form, signal) : null;
  let held = null; // the number that chose, while its key is down: the key's repeats are no text

  const choose = (event) => {
    if (columns) return columns.fill(event);
    if (ranking) {
      held = event.key;
      if (ranking.fill(event) && reason) goTo(reason);
      return;
    }
    const choice = choices.find((radio) => radio.value === event.key) ?? choices[Number(event.key) - 1];
    if (!choice) return;
    event.preventDefault();
    held = event.key;
    choice.checked = true;
    choice.dispatchEvent(new Event("input", { bubbles: true }));
    goTo(reason ?? choice);
  };

  const press = (event) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      if (event.shiftKey || event.target.closest?.("a, button, summary")) return;
      event.preventDefault();
      if (!event.repeat) form.requestSubmit();
    } else if (event.repeat && event.key === held) {
      event.preventDefault();
    } else if (event.target === reason) {
      if (event.key === "Escape") (chosen() ?? choices[0]).focus();
    } else if (/^[0-9]$/.test(event.key)) {
      choose(event);
    } else if (ranking && event.key === "Backspace") {
      ranking.clear(event);
    } else if (reason && chosen() && /^\p{L}$/u.test(event.key)) {
      goTo(reason); // and the letter follows: what is typed after a choice is the reason, after a click too
    }
  };

  document.addEventListener("keydown", press, { signal });
  document.addEventListener("keyup", () => { held = null; }, { signal });
}

// Whether an input method is still at work on what is typed. In Safari it ends just before the Enter that ended it.
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

function goTo(control) {
  control.focus();
  if (control.matches("textarea")) control.setSelectionRange(control.value.length, control.value.length);
}
