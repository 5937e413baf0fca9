// A completion code can be copied by a button. Without script the button is not there, and the code is selected by a click.
export function followCopy(main, { say, signal }) {
  const button = main.querySelector("button[data-copy]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      say(button.dataset.copied, "is-saved");
    } catch {  // a frame or an old browser may not copy by itself: the code is selected for the reader to copy
      getSelection().selectAllChildren(main.querySelector(".code code"));
      document.execCommand?.("copy") && say(button.dataset.copied, "is-saved");
    }
  }, { signal });
}
