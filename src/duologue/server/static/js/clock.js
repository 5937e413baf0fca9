// Seconds during which the page could be seen.
export class VisibleClock {
  #before;
  #since = null;
  #listeners = new AbortController();

  constructor(seconds = 0) {
    this.#before = seconds;
    this.#turn();
    document.addEventListener("visibilitychange", () => this.#turn(), { signal: this.#listeners.signal });
  }

  seconds() {
    return this.#before + (this.#since === null ? 0 : (performance.now() - this.#since) / 1000);
  }

  stop() {
    this.#listeners.abort();
  }

  #turn() {
    this.#before = this.seconds();
    this.#since = document.visibilityState === "visible" ? performance.now() : null;
  }
}
