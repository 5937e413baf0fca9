// The researcher's pages as they are now: the same page is asked for again every few seconds, and what has changed is
// changed in place. What is being typed, focus, selection and scrolling stay. Nothing is asked while the tab is hidden.
import { amend } from "./amend.js";

const EVERY_MS = 5_000;
const SHARE = 10; // a page that takes long to make is asked for less often: at most a tenth of the time goes to it

export function refresh(main) {
  const stale = document.getElementById("stale");
  // A row that moves while somebody aims at its button would make the click go wrong. A touch leaves :hover behind.
  const aimedAt = matchMedia("(hover: hover)").matches ? "button:hover" : "button:active";
  let timer, asking = null;

  const later = (ms) => { clearTimeout(timer); timer = setTimeout(look, ms); };

  const look = async () => {
    clearTimeout(timer);
    if (document.visibilityState !== "visible" || asking) return;
    const began = performance.now();
    asking = new AbortController();
    const { signal } = asking;
    try {
      const response = await fetch(location.href, { signal });
      if (response.redirected) return location.reload(); // signed out meanwhile
      if (!response.ok) throw new Error(response.statusText);
      const next = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("main");
      if (!main.querySelector(aimedAt)) amend(main, next);
      stale.textContent = "";
    } catch {
      if (signal.aborted) return;
      stale.textContent = "The server does not answer: what is shown may be out of date.";
    } finally {
      asking = null;
    }
    later(Math.max(EVERY_MS, SHARE * (performance.now() - began)));
  };

  const stop = () => { clearTimeout(timer); asking?.abort(); };
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? look() : stop()));
  document.addEventListener("submit", (event) => { if (!event.defaultPrevented) stop(); });
  addEventListener("pageshow", (event) => { if (event.persisted) look(); });
  later(EVERY_MS);
}
