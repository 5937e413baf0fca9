// Keys: a number chooses and goes on to the reason, where there is one; there, numbers are text and Escape leaves the box.
// Enter submits; Shift+Enter is a new line. What is typed after a click is the reason, digits too.
// Where several questions are asked, numbers answer the one that has the focus, or else the first that is open; Enter goes on
// to the next open one, and submits when none is left.
// Where a row may be chosen in one of several columns only, numbers fill one column after the other. In a ranking these are
// the places: the number of the last row fills the last one and goes on to the reason, and so does whatever else is typed
// then, as the reason. What is typed after a whole ranking is the reason, digits too.
import { exclusiveColumns } from "./exclusive.js";

// Of several questions about the same dialogues numbers answer the one that is shown, and go on to the next.
export function followKeys(form, signal, questions = null) {
  const scopes = new Map((questions?.parts ?? [form]).map((part) => [part, scopeOf(part, form, signal)]));
  const scope = () => scopes.get(questions?.here() ?? form);
  let held = null; // the number that chose, while its key is down: the key's repeats are no text
  let typed = ""; // the beginning of a number that may go on, as 1 does where there is a 10, or - where there is a -2
  let pointer = ""; // what points just now: mouse, touch or pen; nothing where keys or a screen reader choose
  let isPointed = false; // whether the choice was made by pointing

  const questionOf = (group) => group[0].closest("fieldset")?.querySelector("[data-question]");
  const isOpen = (group) => !group.some((radio) => radio.checked);
  const focused = () => {
    const place = document.activeElement;
    return scope().groups.find((group) => group.includes(place) || questionOf(group) === place);
  };

  // The answers that numbers choose from: of the question with the focus, or else of the first one that is open.
  const asked = () => focused() ?? scope().groups.find(isOpen) ?? scope().groups[0] ?? [];

  // On from a question that is answered to the next open one; where there is none all is sent.
  const goOn = () => {
    const { groups } = scope(), here = focused(), place = groups.indexOf(here);
    const open = here && !isOpen(here) && [...groups.slice(place + 1), ...groups.slice(0, place)].find(isOpen);
    const question = open && questionOf(open);
    if (!question || questions) return form.requestSubmit();
    goTo(question);
    question.scrollIntoView({ block: "nearest" });
  };

  // What comes when a question is answered: the reason, where there is one, or else the next of several.
  const goFrom = (choice) => {
    const { reason } = scope();
    if (reason) goTo(reason);
    else if (!questions?.goOn()) choice?.focus();
  };

  const choose = (event) => {
    const { columns, reason, numbers } = scope();
    if (columns && (!columns.isDecided() || columns.isLast(event.key))) {
      held = event.key;
      columns.fill(event);
      return columns.isWhole() ? goFrom(null) : undefined;
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
    if (goesOn) goTo(choice);
    else goFrom(choice);
  };

  const press = (event) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const { columns, reason, choices, numbers } = scope();
    const chosen = () => choices.find((radio) => radio.checked);
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
  // there the first thing typed goes on. The next of several questions comes after a tap too.
  const point = ({ target }) => {
    const { columns, reason, choices } = scope();
    if (!choices.includes(target) || (columns && !columns.isWhole())) return;
    if (!reason) return pointer !== "" ? void questions?.goOn() : undefined;
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

// What keys answer: all of a form, or one of several questions.
function scopeOf(part, form, signal) {
  const choices = [...part.querySelectorAll("input[type=radio]")];
  const columns = part.matches("[data-exclusive], [data-ranking]") ? exclusiveColumns(form, signal, part) : null;
  const reason = part === form || part.matches("[data-reason]") ? form.elements.reason : null;
  return { choices, columns, reason, numbers: columns ? null : numbered(choices), groups: [...grouped(choices).values()] };
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
