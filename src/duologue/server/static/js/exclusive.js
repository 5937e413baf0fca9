// Rows, and a column of radio buttons for each place: a row has one place at most. The number of a row gives it the
// first place that is free, or the last one where none is; the number of a row that has a place takes it back. 0 is row 10.
// In a ranking every row has a place in the end: the row that is left takes the last one. By numbers it waits for its own,
// or until the reason is begun or the form is sent; no other number changes a ranking with one place left or none.
// They are all of the form, or those of one of its questions.
export function exclusiveColumns(form, signal, question = form) {
  const isRanking = question.matches("[data-ranking]");
  const radios = [...question.querySelectorAll("input[type=radio]")];
  const names = [...new Set(radios.map((radio) => radio.name))];
  const rows = [...new Set(radios.map((radio) => radio.value))];
  const at = (name, row) => radios.find((radio) => radio.name === name && radio.value === row);
  const placed = (row) => radios.find((radio) => radio.value === row && radio.checked);
  const free = () => names.filter((name) => !radios.some((radio) => radio.name === name && radio.checked));
  const said = (radio) => radio.dispatchEvent(new Event("input", { bubbles: true }));
  const isWhole = () => isRanking && !free().length;
  const isDecided = () => isRanking && free().length <= 1;

  const alone = (radio) => {
    for (const other of radios) if (other.value === radio.value && other !== radio) other.checked = false;
  };

  const last = () => (isDecided() && !isWhole() ? at(free()[0], rows.find((row) => !placed(row))) : null);

  const complete = () => {
    const radio = last();
    if (!radio) return;
    radio.checked = true;
    said(radio);
  };

  const mark = (radio, isChecked) => {
    radio.checked = isChecked;
    if (isChecked) alone(radio);
    radio.focus();
    said(radio);
  };

  form.addEventListener("change", ({ target }) => {
    if (!radios.includes(target)) return;
    alone(target);
    complete();
  }, { signal });
  form.elements.reason?.addEventListener("focus", complete, { signal });
  form.addEventListener("submit", complete, { signal, capture: true });

  const clear = (event) => {
    event.preventDefault();
    for (const radio of radios) radio.checked = false;
    radios[0].focus();
    said(radios[0]);
  };

  const fill = (event) => {
    const row = event.key === "0" ? "10" : event.key;
    if (!rows.includes(row)) return;
    event.preventDefault();
    if (event.repeat) return;
    const taken = placed(row);
    mark(taken ?? at(free()[0] ?? names.at(-1), row), !taken);
  };

  const isLast = (key) => last()?.value === key;

  return { fill, isWhole, isDecided, isLast, clear: isRanking ? clear : null };
}
