// Change a part of the page into another version of itself, touching only what differs. Elements are told apart by
// `data-key` or `id` where they have one, so focus and selection stay in their row. A form in use is left alone.
const FILLED_IN = "textarea, select, input:not([type=hidden])";

export function amend(old, next) {
  const focused = document.activeElement;
  const around = [];
  for (let node = focused; node && old.contains(node); node = node.parentElement) around.push(node);
  amendNode(old, next);
  if (around.length && document.activeElement !== focused) {
    around.find((node) => node.isConnected && node.tabIndex >= 0)?.focus({ preventScroll: true });
  }
}

function amendNode(old, next) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
  } else if (!old.isEqualNode(next) && !old.matches(FILLED_IN) && !(old.matches("form") && isInUse(old))) {
    amendAttributes(old, next);
    amendChildren(old, next);
  }
}

function amendAttributes(old, next) {
  for (const { name } of [...old.attributes]) if (!next.hasAttribute(name) && name !== "open") old.removeAttribute(name);
  for (const { name, value } of next.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

function amendChildren(old, next) {
  const wanted = [...next.childNodes];
  const keys = new Set(wanted.map(keyOf));
  for (const child of [...old.childNodes]) if (keyOf(child) && !keys.has(keyOf(child))) discard(child);
  const keyed = new Map([...old.childNodes].filter(keyOf).map((child) => [keyOf(child), child]));
  let place = old.firstChild;
  for (const child of wanted) {
    const known = keyed.get(keyOf(child)) ?? nextOfKind(place, child);
    if (!known) {
      old.insertBefore(document.adoptNode(child), place);
      continue;
    }
    while (place && place !== known && !keyOf(place)) place = discard(place);
    if (place === known) place = known.nextSibling;
    else old.insertBefore(known, place);
    amendNode(known, child);
  }
  while (place) place = discard(place);
}

// The next child without a key that can become `wanted`, if no child with a key stands before it.
function nextOfKind(place, wanted) {
  if (keyOf(wanted)) return null;
  let node = place;
  while (node && !keyOf(node) && node.nodeName !== wanted.nodeName) node = node.nextSibling;
  return node && !keyOf(node) ? node : null;
}

// Take a node away, unless somebody is typing in it; gives the node after it.
function discard(node) {
  const after = node.nextSibling;
  if (!(node.nodeType === Node.ELEMENT_NODE && isInUse(node))) node.remove();
  return after;
}

function isInUse(node) {
  return [...node.querySelectorAll(FILLED_IN)].some((control) => control === document.activeElement || isChanged(control));
}

function isChanged(control) {
  if (control.options) return [...control.options].some((option) => option.selected !== option.defaultSelected);
  return control.value !== control.defaultValue || control.checked !== control.defaultChecked;
}

const keyOf = (node) => node.dataset?.key || node.id || "";
