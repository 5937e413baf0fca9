// What script adds to the researcher's pages: copying links, asking before erasing, and the key in the link.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
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
}

for (const form of document.querySelectorAll("[data-confirm]")) {
  form.addEventListener("submit", (event) => {
    if (!confirm(form.dataset.confirm)) event.preventDefault();
  });
}

// The key stands behind "#" in the link that `serve` prints; it is taken out of the address bar at once.
const signIn = document.querySelector("[data-key-from-address]");
const key = new URLSearchParams(location.hash.slice(1)).get("key");
if (signIn && key) {
  history.replaceState(null, "", location.pathname);
  signIn.elements.key.value = key;
  signIn.requestSubmit();
}
