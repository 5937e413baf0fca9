// What a page can see of reading and writing: whether the end of every dialogue was in sight, and whether text was pasted
// that does not stand on the page. Both go with whatever form is sent, and stay with the assignment over its screens.
// Without script neither is known.
const SHORT = 10; // characters without blanks: less may be a name or an emoji
const states = new Map();
const copied = []; // what was copied or cut here, in pages or text boxes

// Whoever answers with a dialogue not scrolled to its end is asked once; a second answer goes through.
export function followReading(main, { words, signal }) {
  const [key, page = ""] = (main.dataset.assignment ?? "").split(":");
  const state = stateOf(key);
  const look = () => { if (note(main, state, page)) keep(key, state); };

  for (const kind of ["scroll", "resize", "load", "toggle"]) addEventListener(kind, look, { signal, capture: true });
  const changes = new MutationObserver(look);
  if (main.matches(".chat")) changes.observe(main, { childList: true, subtree: true });
  signal.addEventListener("abort", () => changes.disconnect());
  look();

  const pasted = (event, text) => {
    const said = squeezed(text ?? "");
    if (!event.target.matches?.("main textarea, main input") || said.length < SHORT) return;
    if (squeezed(main.textContent).includes(said) || copied.some((one) => one.includes(said))) return;
    state.pasted = true;
    keep(key, state);
  };
  document.addEventListener("paste", (event) => pasted(event, event.clipboardData?.getData("text/plain")), { signal });
  document.addEventListener("drop", (event) => pasted(event, event.dataTransfer?.getData("text/plain")), { signal });

  document.addEventListener("formdata", ({ formData }) => {
    look();
    if (state.pasted) formData.set("pasted", "1");
    if (state.asked && !isRead(main, state, page)) formData.set("unscrolled", "1");
  }, { signal });

  return {
    fault: () => {
      look();
      if (state.asked || isRead(main, state, page)) return null;
      state.asked = true;
      keep(key, state);
      return [words.notScrolled, null];
    },
  };
}

for (const kind of ["copy", "cut"]) {
  document.addEventListener(kind, ({ target }) => {
    const isBox = target.matches?.("textarea, input");
    copied.push(squeezed(isBox ? target.value.slice(target.selectionStart, target.selectionEnd) : String(getSelection())));
  });
}

const squeezed = (text) => text.replace(/\s+/g, "").toLowerCase();
const dialoguesOf = (main) => [...main.querySelectorAll("ol.turns")].filter((list) => list.lastElementChild && !list.closest("details:not([open])"));
const isRead = (main, state, page) => state.held || dialoguesOf(main).every((_, place) => state.ends.includes(`${page}#${place}`));

// Note which ends are in sight now; of one's own chat, whether its end was in sight when it was ended, whoever ended it.
// Whether there is anything new.
function note(main, state, page) {
  const seen = dialoguesOf(main).flatMap((list, place) => (isInSight(list.lastElementChild) ? [`${page}#${place}`] : []));
  if (main.matches(".chat")) {
    const before = state.held;
    state.held = seen.length > 0 || (before && main.dataset.chatState === "ended");
    return state.held !== before;
  }
  const fresh = seen.filter((end) => !state.ends.includes(end));
  state.ends.push(...fresh);
  return fresh.length > 0;
}

// Whether the last line of a turn can be seen: in the window, within what scrolls, and behind nothing.
function isInSight(turn) {
  const { left, right, bottom } = turn.lastElementChild.getBoundingClientRect();
  const there = document.elementFromPoint((left + right) / 2, bottom - 3);
  return there !== null && turn.contains(there);
}

function stateOf(key) {
  if (!states.has(key)) states.set(key, { ends: [], held: false, asked: false, pasted: false, ...stored(key) });
  return states.get(key);
}

function stored(key) {
  try {
    return JSON.parse(sessionStorage.getItem(`duologue:${key}:reading`)) ?? {};
  } catch {
    return {}; // No storage (a strict frame): it is kept in this page only.
  }
}

function keep(key, state) {
  try {
    sessionStorage.setItem(`duologue:${key}:reading`, JSON.stringify(state));
  } catch { /* As above. */ }
}
