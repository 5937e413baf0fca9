// What script adds to the researcher's pages: refreshing, copying links, asking before erasing, the key in the link.
import { refresh } from "./refresh.js";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.innerHTML;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => { button.innerHTML = label; }, 2000);
});

document.addEventListener("submit", (event) => {
  const question = event.target.dataset.confirm;
  if (question && !confirm(question)) event.preventDefault();
});

// The key stands behind "#" in the link that `serve` prints; it is taken out of the address bar at once. Where this page
// is open already, the link changes its address and loads nothing.
const signIn = document.querySelector("[data-key-from-address]");
function signInByAddress() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  history.replaceState(null, "", location.pathname);
  signIn.elements.key.value = key;
  signIn.requestSubmit();
}
if (signIn) {
  addEventListener("hashchange", signInByAddress);
  signInByAddress();
}

const live = document.querySelector("main[data-refresh]");
if (live) refresh(live);
