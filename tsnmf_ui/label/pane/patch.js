// @ts-check
// Bringing the DOM up to date with what is drawn anew. What is as it was stays, so that a key press
// costs the layout of what it changed, and focus, scroll and a reader's place survive.

const IDENTITY = ["data-k", "data-row", "data-run", "data-document", "data-own"]; // one differs: another thing

/** @type {(node: Node) => node is HTMLElement} */
const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;

/**
 * Whether a node can be brought up to date, rather than replaced.
 * @param {Node} old @param {Node} wanted
 */
function sameThing(old, wanted) {
  if (old === wanted) return true;
  if (old.nodeType !== wanted.nodeType) return false;
  if (!isElement(old) || !isElement(wanted)) return true;
  return old.tagName === wanted.tagName && IDENTITY.every((name) => old.getAttribute(name) === wanted.getAttribute(name));
}

/** @param {Node} old @param {Node} wanted */
function update(old, wanted) {
  if (old.isEqualNode(wanted)) return;
  if (!isElement(old) || !isElement(wanted)) {
    old.nodeValue = wanted.nodeValue;
    return;
  }
  if (old.dataset.own) return; // what it holds is its own
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name) ?? "";
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const name of old.getAttributeNames()) if (!wanted.hasAttribute(name)) old.removeAttribute(name);
  patch(old, [...wanted.childNodes]);
}

/**
 * Make children the children of a parent. Listeners stay those of the first drawing: they may know
 * the pane and what the identity of their element names, no more.
 * @param {Node} parent
 * @param {(ChildNode | null)[]} children
 */
export function patch(parent, children) {
  let old = parent.firstChild;
  for (const wanted of children) {
    if (!wanted) continue;
    const next = old && old.nextSibling;
    if (old && next && !sameThing(old, wanted) && sameThing(next, wanted)) { // a list that moved up by one
      old.remove();
      old = next;
    }
    if (old && sameThing(old, wanted)) {
      const after = old.nextSibling;
      update(old, wanted);
      old = after;
    } else parent.insertBefore(wanted, old);
  }
  while (old) {
    const after = old.nextSibling;
    old.remove();
    old = after;
  }
}
