// A table with a column of radio buttons for each place: a row has one place at most. The number of a row gives it the
// first place that is free, or the last one where none is; the number of a row that has a place takes it back. 0 is row 10.
export function exclusiveColumns(form, signal) {
  const radios = [...form.querySelectorAll("input[type=radio]")];
  const names = [...new Set(radios.map((radio) => radio.name))];
  const chosen = (name) => radios.find((radio) => radio.name === name && radio.checked);
  const said = (radio) => radio.dispatchEvent(new Event("input", { bubbles: true }));

  form.addEventListener("change", ({ target }) => {
    for (const radio of radios) if (radio.value === target.value && radio !== target) radio.checked = false;
  }, { signal });

  const fill = (event) => {
    const row = event.key === "0" ? "10" : event.key;
    if (!radios.some((radio) => radio.value === row)) return;
    event.preventDefault();
    if (event.repeat) return;
    const taken = radios.find((radio) => radio.value === row && radio.checked);
    if (taken) {
      taken.checked = false;
      taken.focus();
      return said(taken);
    }
    const name = names.find((one) => !chosen(one)) ?? names.at(-1);
    const radio = radios.find((one) => one.name === name && one.value === row);
    radio.checked = true;
    radio.focus();
    said(radio);
  };

  return { fill };
}
