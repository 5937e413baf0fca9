// Keys: digits choose, Enter submits; Shift+Enter is a new line in the reason.
// A digit is the number written at a choice; where there is none, its place.
export function chooseByKey(event, form) {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const inText = event.target.closest?.("textarea");
  if (event.key === "Enter") {
    if (event.shiftKey || event.repeat || event.target.closest?.("a, button, summary")) return;
    event.preventDefault();
    form.requestSubmit();
  } else if (!inText && /^[0-9]$/.test(event.key)) {
    const choices = [...form.querySelectorAll("input[type=radio]")];
    const choice = choices.find((radio) => radio.value === event.key) ?? choices[Number(event.key) - 1];
    if (!choice) return;
    choice.checked = true;
    choice.focus({ preventScroll: true });
    choice.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
