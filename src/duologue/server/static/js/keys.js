// Keys: 1, 2 (and 3 for no difference) choose, Enter submits; Shift+Enter is a new line in the reason.
export function chooseByKey(event, form) {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const inText = event.target.closest?.("textarea");
  if (event.key === "Enter") {
    if (event.shiftKey || event.repeat || event.target.closest?.("a, button")) return;
    event.preventDefault();
    form.requestSubmit();
  } else if (!inText && /^[1-9]$/.test(event.key)) {
    const choice = form.querySelectorAll("input[type=radio]")[Number(event.key) - 1];
    if (!choice) return;
    choice.checked = true;
    choice.focus({ preventScroll: true });
    choice.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
