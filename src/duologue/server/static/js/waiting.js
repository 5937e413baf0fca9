// The clock of the waiting room: seconds that have passed and that are left, counted on from what the server said.
export function followWaiting(main, signal) {
  const began = performance.now();
  let shown = null, from = began;
  const tick = setInterval(() => {
    for (const time of main.querySelectorAll(".waiting time[data-seconds]")) {
      if (time.parentElement !== shown) { shown = time.parentElement; from = performance.now(); }
      const passed = Math.floor((performance.now() - from) / 1000);
      const seconds = Number(time.dataset.seconds) + (time.dataset.counts === "up" ? passed : -passed);
      time.textContent = counted(Math.max(0, seconds));
    }
  }, 500);
  signal.addEventListener("abort", () => clearInterval(tick));
}

function counted(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
