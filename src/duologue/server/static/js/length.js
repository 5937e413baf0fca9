// How many characters are left, once they are few, and how many are too many. Nothing is cut: what is too long is not sent.
// Characters are counted as the server counts them.
const NEAR = 0.9;
const shown = new WeakMap();

// Say it of every box that has a limit. Called again, it looks at new boxes too, and at what script has written.
export function followLength(main, { words, signal }) {
  for (const box of main.querySelectorAll("textarea[data-most]")) {
    if (!shown.has(box)) watch(box, words, signal);
    shown.get(box)();
  }
}

// What is said of a text that is too long; null of any other.
export function tooLong(box, words) {
  const most = mostOf(box), over = lengthOf(box) - most;
  return over > 0 ? words.charsOver.replace("{over}", String(over)).replace("{most}", String(most)) : null;
}

function watch(box, words, signal) {
  const said = document.createElement("p");
  said.className = "length";
  box.after(said);
  const show = () => {
    const most = mostOf(box), left = most - lengthOf(box);
    said.hidden = left > (1 - NEAR) * most;
    said.textContent = said.hidden ? "" : tooLong(box, words) ?? words.charsLeft.replace("{left}", String(left));
    said.classList.toggle("is-over", left < 0);
    if (left < 0) box.setAttribute("aria-invalid", "true");
    else box.removeAttribute("aria-invalid");
  };
  shown.set(box, show);
  box.addEventListener("input", show, { signal });
}

const mostOf = (box) => Number(box?.dataset.most ?? Infinity);
const lengthOf = (box) => [...(box?.value ?? "")].length;
