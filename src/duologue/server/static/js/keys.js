// Keys: a number chooses and goes on to the reason, where there is one; there, numbers are text and Escape leaves the box.
// Enter submits; Shift+Enter is a new line. What is typed after a click is the reason, digits too.
// Where several questions are asked, numbers answer the one that has the focus, or else the first that is open; Enter goes on
// to the next open one, and submits when none is left.
// Where a row may be chosen in one of several columns only, numbers fill one column after the other. In a ranking these are
// the places: the number of the last row fills the last one and goes on to the reason, and so does whatever else is typed
// then, as the reason. What is typed after a whole ranking is the reason, digits too.
import { exclusiveColumns } from "./exclusive.js";

export function followKeys(form, signal) {
  const reason = form.elements.reason;
  const choices = [...form.querySelectorAll("input[type=radio]")];
  const chosen = () => choices.find((radio) => radio.checked);
  const columns = form.matches("[data-exclusive], [data-ranking]") ? exclusiveColumns(form, signal) : null;
  const numbers = columns ? null : numbered(choices);
  let held = null; // the number that chose, while its key is down: the key's repeats are no text
  let typed = ""; // the beginning of a number that may go on, as 1 does where there is a 10, or - where there is a -2
  let pointer = ""; // what points just now: mouse, touch or pen; nothing where keys or a screen reader choose
  let isPointed = false; // whether the choice was made by pointing

  const all = [...grouped(choices).values()];
  const questionOf = (group) => group[0].closest("fieldset")?.querySelector("[data-question]");
  const isOpen = (group) => !group.some((radio) => radio.checked);
  const focused = () => {
    const place = document.activeElement;
    return all.find((group) => group.includes(place) || questionOf(group) === place);
  };

  // The answers that numbers choose from: of the question with the focus, or else of the first one that is open.
  const asked = () => focused() ?? all.find(isOpen) ?? all[0] ?? [];

  // On from a question that is answered to the next open one; where there is none all is sent.
  const goOn = () => {
    const here = focused(), place = all.indexOf(here);
    const open = here && !isOpen(here) && [...all.slice(place + 1), ...all.slice(0, place)].find(isOpen);
    const question = open && questionOf(open);
    if (!question) return form.requestSubmit();
    goTo(question);
    question.scrollIntoView({ block: "nearest" });
  };

  const choose = (event) => {
    if (columns && (!columns.isDecided() || columns.isLast(event.key))) {
      held = event.key;
      columns.fill(event);
      return reason && columns.isWhole() ? goTo(reason) : undefined;
    }
    if (columns) return reason ? goTo(reason) : undefined; // and what was typed follows
    const group = asked();
    const tried = typed === "-" ? [typed + event.key] : [typed + event.key, event.key];
    const number = tried.find((one) => group.some((radio) => numbers.get(radio) === one));
    const begins = (one) => one === "-" || group.some((radio) => numbers.get(radio).startsWith(one));
    typed = number ? "" : tried.find(begins) ?? "";
    if (!number) return; // after -, a number of this question that is not below 0 is not meant
    event.preventDefault();
    held = event.key;
    const choice = group.find((radio) => numbers.get(radio) === number);
    choice.checked = true;
    choice.dispatchEvent(new Event("input", { bubbles: true }));
    const goesOn = group.some((radio) => radio !== choice && numbers.get(radio).startsWith(number));
    if (goesOn) typed = number;
    goTo(goesOn || !reason ? choice : reason);
  };

  const press = (event) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const isDigit = /^[0-9]$/.test(event.key) || (event.key === "-" && numbers !== null);
    if (!isDigit) typed = "";
    if (event.key === "Enter") {
      if (event.shiftKey || event.target.closest?.("a, button, summary")) return;
      event.preventDefault();
      if (!event.repeat) goOn();
    } else if (event.repeat && event.key === held) {
      event.preventDefault();
    } else if (event.key === "Escape") {
      isPointed = false;
      if (event.target === reason) (chosen() ?? choices[0]).focus();
    } else if (event.target === reason) {
      return;
    } else if (isDigit && !isPointed) {
      choose(event);
    } else if (columns?.clear && event.key === "Backspace") {
      isPointed = false;
      columns.clear(event);
    } else if (reason && chosen() && (isDigit || /^\p{L}$/u.test(event.key))) {
      goTo(reason); // and what was typed follows
    }
  };

  // A choice by mouse goes on to the reason as one by number does. After a tap that would open a keyboard on the screen:
  // there the first thing typed goes on.
  const point = ({ target }) => {
    if (!reason || !choices.includes(target) || (columns && !columns.isWhole())) return;
    isPointed = pointer !== "";
    if (pointer === "mouse") goTo(reason);
  };

  document.addEventListener("keydown", (event) => { pointer = ""; press(event); }, { signal });
  document.addEventListener("keyup", () => { held = null; }, { signal });
  document.addEventListener("pointerdown", (event) => { pointer = event.pointerType; typed = ""; }, { signal });
  document.addEventListener("click", () => setTimeout(() => { pointer = ""; }), { signal });
  form.addEventListener("click", point, { signal });
  form.addEventListener("change", point, { signal }); // when a ranking has become whole
}

// The number of every choice: the one that is written at it, where all of them are whole numbers; otherwise
// its place among the answers to its question, which is then shown beside it. Never one here and the other there.
function numbered(choices) {
  const areNumbers = choices.every((radio) => /^-?(0|[1-9][0-9]*)$/.test(radio.value));
  const places = [...grouped(choices).values()].flatMap((group) => group.map((radio, place) => [radio, String(place + 1)]));
  const numbers = new Map(areNumbers ? choices.map((radio) => [radio, radio.value]) : places);
  for (const [radio, number] of areNumbers ? [] : numbers) {
    const label = radio.closest("label.choice");
    if (!label || label.querySelector("kbd")) continue;
    const shown = document.createElement("kbd");
    shown.ariaHidden = "true";
    shown.textContent = number;
    radio.after(shown);
  }
  return numbers;
}

function grouped(choices) {
  const groups = new Map();
  for (const radio of choices) groups.set(radio.name, [...(groups.get(radio.name) ?? []), radio]);
  return groups;
}

// Whether an input method is still at work on what is typed. In Safari it ends just before the Enter that ended it.
export function isComposing(event) {
  return event.isComposing || event.keyCode === 229;
}

export function goTo(control) {
  control.focus();
  if (control.matches("textarea")) control.setSelectionRange(control.value.length, control.value.length);
}
