// Follow a live chat: by server-sent events, and by asking now and then where these do not come through.
import { mainOf } from "./send.js";

const FIRST_SIGN_MS = 5_000;
const SILENCE_MS = 25_000; // the server gives a sign every 10 seconds
const ASK_MS = 2_000;
const ASK_LESS_MS = 10_000;
const TRY_STREAM_AGAIN_MS = 30_000;
const MOST_BREAKS = 3;

// Calls `onMain` with the <main> of the chat after every change, until `signal` is aborted.
export function follow(main, onMain, signal) {
  let change = main.dataset.change;
  let stream, silence, asking, again, breaks = 0;
  const address = (verb) =>
    `${main.dataset.place}/${verb}?${new URLSearchParams({ assignment: main.dataset.assignment, after: change })}`;

  const take = (text) => {
    const next = mainOf(text);
    if (!next || signal.aborted) return;
    change = next.dataset.change;
    onMain(next);
  };

  const listen = () => {
    stopListening();
    if (!("EventSource" in window)) return ask();
    stream = new EventSource(address("events"));
    const sign = () => { breaks = 0; stopAsking(); hear(SILENCE_MS); };
    stream.addEventListener("beat", sign);
    stream.addEventListener("chat", (event) => { sign(); take(JSON.parse(event.data).main); });
    stream.addEventListener("replaced", () => fallBack()); // this page is open in too many tabs
    stream.addEventListener("error", () => {
      breaks += 1;
      if (breaks >= MOST_BREAKS || stream.readyState === EventSource.CLOSED) fallBack();
    });
    hear(FIRST_SIGN_MS);
  };

  const hear = (ms) => { clearTimeout(silence); silence = setTimeout(fallBack, ms); };
  const stopListening = () => { clearTimeout(silence); stream?.close(); };
  const stopAsking = () => { clearTimeout(asking); clearTimeout(again); asking = again = undefined; };

  const fallBack = () => {
    stopListening();
    breaks = 0;
    clearTimeout(again);
    again = setTimeout(listen, TRY_STREAM_AGAIN_MS);
    if (!asking) ask();
  };

  const ask = async () => {
    const wait = await askOnce();
    if (!signal.aborted && !(stream?.readyState === 1)) asking = setTimeout(ask, wait);
  };

  const askOnce = async () => {
    try {
      const response = await fetch(address("chat"), { headers: { "duologue-part": "main" }, signal });
      if (response.status === 404 || response.status === 410) location.reload();
      else if (response.status === 200) take(await response.text());
      return response.ok ? ASK_MS : ASK_LESS_MS;
    } catch {
      return ASK_MS;
    }
  };

  const lookAgain = () => { if (document.visibilityState === "visible") askOnce(); };
  document.addEventListener("visibilitychange", lookAgain, { signal });
  addEventListener("online", lookAgain, { signal });
  signal.addEventListener("abort", () => { stopListening(); stopAsking(); });
  listen();
}
