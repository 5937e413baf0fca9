// Send a form and get the <main> of the next page. Sending twice is safe: the server stores once.
const PATIENCE_MS = 30_000;

export async function send(form, submitter = null) {
  try {
    const response = await fetch(form.action, {
      method: "POST",
      headers: { "duologue-part": "main" },
      body: new URLSearchParams(new FormData(form, submitter)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    if (response.ok) return { main: mainOf(text), outcome: response.headers.get("duologue-outcome") };
    if (response.status === 404 || response.status === 410) return { gone: true };
    if (response.status === 422 || response.status === 429) return JSON.parse(text).error;
    return { stale: response.status === 409 };
  } catch {
    return {};
  }
}

export function mainOf(text) {
  const main = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  return main && document.adoptNode(main);
}
