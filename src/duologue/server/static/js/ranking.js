// A ranking: every place has one speaker, and every speaker one place. What is left when all others are placed takes the
// last free place, so that choosing two is enough and a changed place changes two. Numbers give places from the first on;
// a speaker can also be dragged to a place.
export function rankedPlaces(form, signal) {
  const radios = [...form.querySelectorAll(".rank input[type=radio]")];
  const names = [...new Set(radios.map((radio) => radio.name))];
  const values = [...new Set(radios.map((radio) => radio.value))];
  const chosen = (name) => radios.find((radio) => radio.name === name && radio.checked);
  const placed = (value) => radios.find((radio) => radio.value === value && radio.checked);
  const at = (name, value) => radios.find((radio) => radio.name === name && radio.value === value);
  const said = (radio) => radio.dispatchEvent(new Event("input", { bubbles: true }));
  const free = () => names.filter((name) => !chosen(name));

  const settle = (radio) => {
    for (const other of radios) if (other.value === radio.value && other !== radio) other.checked = false;
    const open = free();
    if (open.length === 1) at(open[0], values.find((value) => !placed(value))).checked = true;
  };

  const place = (radio) => {
    radio.checked = true;
    settle(radio);
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    said(radio);
  };

  form.addEventListener("change", ({ target }) => {
    if (radios.includes(target)) settle(target);
  }, { signal });

  const clear = (event) => {
    event?.preventDefault();
    for (const radio of radios) radio.checked = false;
    radios[0].focus();
    said(radios[0]);
  };

  // Whether the ranking is whole and was said to the end, so that the reason comes next.
  const fill = (event) => {
    if (!values.includes(event.key)) return false;
    event.preventDefault();
    if (event.repeat) return false;
    const taken = placed(event.key);
    if (!free().length) {
      if (taken.name === names.at(-1)) return true;
      clear();
    } else if (taken) {
      taken.checked = false;
      taken.focus();
      said(taken);
      return false;
    }
    place(at(free()[0], event.key));
    return false;
  };

  followDrags(form, signal, (name, value) => place(at(name, value)));
  return { fill, clear, isWhole: () => !free().length };
}

const FAR = 6; // pixels from which on a press is a drag

function followDrags(form, signal, drop) {
  let held = null;
  const under = ({ clientX, clientY }) => document.elementFromPoint(clientX, clientY)?.closest(".rank");

  const letGo = () => {
    held?.chip.style.removeProperty("translate");
    held?.chip.classList.remove("is-dragged");
    for (const rank of form.querySelectorAll(".rank.is-over")) rank.classList.remove("is-over");
    held = null;
  };

  form.addEventListener("pointerdown", (event) => {
    const chip = event.target.closest(".rank .chip");
    if (chip && event.button === 0) held = { chip, x: event.clientX, y: event.clientY, drags: false };
  }, { signal });

  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.drags && Math.hypot(x, y) < FAR) return;
    held.drags = true;
    held.chip.classList.add("is-dragged");
    held.chip.style.translate = `${x}px ${y}px`;
    for (const rank of form.querySelectorAll(".rank")) rank.classList.toggle("is-over", rank === under(event));
  }, { signal });

  document.addEventListener("pointerup", (event) => {
    const dragged = held?.drags ? held.chip.querySelector("input") : null;
    const rank = dragged && under(event);
    letGo();
    if (rank) drop(rank.querySelector("input").name, dragged.value);
  }, { signal });

  document.addEventListener("pointercancel", letGo, { signal });
}
