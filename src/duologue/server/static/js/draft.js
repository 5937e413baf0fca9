// What has been chosen and typed, and the seconds so far: kept in this tab until it is saved.
export class Draft {
  #key;
  #kept = {};

  constructor(assignment) {
    this.#key = `duologue:${assignment}`;
    try {
      this.#kept = JSON.parse(sessionStorage.getItem(this.#key)) ?? {};
    } catch { /* No storage (a strict frame): nothing is kept, everything else works. */ }
  }

  get seconds() {
    return Number.isFinite(this.#kept.seconds) ? this.#kept.seconds : 0;
  }

  get text() {
    return this.#kept.text ?? "";
  }

  // What is kept here is newer than what the page came with: it is dropped as soon as it is sent.
  restore(form) {
    const { choices, reason } = this.#kept;
    const radios = [...form.querySelectorAll("input[type=radio]")];
    if (choices && radios.some((radio) => radio.value === choices[radio.name])) {
      for (const radio of radios) radio.checked = radio.value === choices[radio.name];
    }
    if (reason !== undefined && form.elements.reason) form.elements.reason.value = reason;
  }

  keep(form, seconds) {
    const chosen = [...form.querySelectorAll("input[type=radio]:checked")];
    const choices = Object.fromEntries(chosen.map((radio) => [radio.name, radio.value]));
    this.#write({ choices, reason: form.elements.reason?.value, seconds });
  }

  keepSeconds(seconds) {
    this.#write({ seconds });
  }

  keepText(text, seconds) {
    this.#write({ text, seconds });
  }

  forget() {
    this.#kept = {};
    try {
      sessionStorage.removeItem(this.#key);
    } catch { /* As above. */ }
  }

  #write(kept) {
    this.#kept = kept;
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(kept));
    } catch { /* As above. */ }
  }
}
