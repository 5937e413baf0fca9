// Until when there is time: in the reader's own time of day, or as seconds that are counted down. The server
// says how many seconds are left, so that a wrong clock of this machine does not matter; when none are left
// the page is asked for again, and says what comes next.
const LAST_CALL = 60;

export function followDeadline(main, { say, signal }) {
  const clock = main.querySelector(".deadline");
  if (!clock) return;
  const { until, left, countdown, secondsLeft } = clock.dataset;
  const ends = performance.now() + 1000 * Number(secondsLeft);
  const time = new Date(Date.now() + 1000 * Number(secondsLeft));
  const ofDay = time.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit" });
  const text = clock.querySelector("bdi");
  const remaining = () => Math.max(0, Math.ceil((ends - performance.now()) / 1000));
  let called = remaining() <= LAST_CALL, next;

  const turn = () => {
    const seconds = remaining();
    if (countdown !== undefined) text.textContent = left.replace("{time}", counted(seconds));
    if (!called && seconds <= LAST_CALL) { called = true; say(left.replace("{time}", counted(seconds))); }
    if (!seconds) return location.reload();
    next = setTimeout(turn, 500);
  };

  signal.addEventListener("abort", () => clearTimeout(next));
  if (countdown === undefined) text.textContent = until.replace("{time}", ofDay);
  turn();
}

function counted(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
