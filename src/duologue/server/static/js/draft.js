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

  restore(form) {
    const { choice, reason } = this.#kept;
    const chosen = [...form.querySelectorAll("input[type=radio]")];
    if (choice && !chosen.some((radio) => radio.checked)) {
      for (const radio of chosen) radio.checked = radio.value === choice;
    }
    if (reason && form.elements.reason && !form.elements.reason.value) form.elements.reason.value = reason;
  }

  keep(form, seconds) {
    const answered = new FormData(form);
    const kept = { choice: answered.get("choice"), reason: answered.get("reason"), seconds };
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(kept));
    } catch { /* As above. */ }
  }

  forget() {
    try {
      sessionStorage.removeItem(this.#key);
    } catch { /* As above. */ }
  }
}
