// Several questions about the same dialogues: one at a time, a tab for each; when one is answered, the next open one comes.
// Without script all of them stand under each other. How long each was there is sent with its answer.
import { goTo } from "./keys.js";

export function followQuestions(form, clock, signal) {
  const parts = [...form.querySelectorAll("fieldset")];
  const tabs = form.querySelector(".asked");
  const buttons = [...tabs.querySelectorAll("button")];
  const reason = form.querySelector(".reason");
  const submit = form.querySelector("[type=submit]");
  const last = submit.textContent;
  const took = form.querySelectorAll("input[name^=took]");
  const isTimed = clock.seconds() < 1; // what was spent before the page was loaded again belongs to nobody knows which
  const spent = parts.map(() => 0);
  let place = 0, since = clock.seconds();

  const isOpen = (part) => {
    const radios = [...part.querySelectorAll("input[type=radio]")];
    const answered = new Set(radios.filter((radio) => radio.checked).map((radio) => radio.name));
    return radios.some((radio) => !answered.has(radio.name));
  };

  const tick = () => {
    const now = clock.seconds();
    spent[place] += now - since;
    since = now;
    if (isTimed) took.forEach((field, number) => { field.value = spent[number].toFixed(1); });
  };

  const nextOpen = () => [...parts.slice(place + 1), ...parts.slice(0, place)].find(isOpen);

  const mark = () => {
    buttons.forEach((button, number) => {
      button.classList.toggle("is-done", !isOpen(parts[number]));
      if (number === place) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    submit.textContent = nextOpen() ? submit.dataset.next : last;
  };

  const show = (part) => {
    tick();
    place = parts.indexOf(part);
    for (const one of parts) one.hidden = one !== part;
    if (reason) reason.hidden = !part.matches("[data-reason]");
    mark();
  };

  const open = (part) => {
    show(part);
    goTo(part.querySelector("[data-question]"));
  };

  const goOn = () => {
    const part = nextOpen();
    if (part) open(part);
    return Boolean(part);
  };

  tabs.hidden = false;
  tabs.addEventListener("click", ({ target }) => {
    const number = buttons.indexOf(target.closest("button"));
    if (number >= 0) open(parts[number]);
  }, { signal });
  form.addEventListener("input", mark, { signal });
  form.addEventListener("change", mark, { signal });
  show(parts.find(isOpen) ?? parts[0]);

  return {
    parts,
    here: () => parts[place],
    showTheOneOf: (control) => {
      const part = control?.matches("textarea") ? parts.find((one) => one.matches("[data-reason]")) : control?.closest("fieldset");
      if (part) show(part);
    },
    goOn,
    tick,
  };
}
