// Bringing what is drawn up to date. What is as it was stays, so that a key press costs the layout
// of what it changed, and focus, scroll and a reader's place survive.

const MARKS = ["data-k", "data-row", "data-run", "data-document", "data-own"]; // one differs: another thing

function alike(old, wanted) {
  if (old === wanted) return true;
  if (old.nodeType !== wanted.nodeType) return false;
  if (old.nodeType !== Node.ELEMENT_NODE) return true;
  return old.tagName === wanted.tagName && MARKS.every((name) => old.getAttribute(name) === wanted.getAttribute(name));
}

function update(old, wanted) {
  if (old.isEqualNode(wanted) || (old.dataset && old.dataset.own)) return; // what it holds is its own
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.data = wanted.data;
    return;
  }
  for (const name of wanted.getAttributeNames()) {
    const value = wanted.getAttribute(name);
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  for (const name of old.getAttributeNames()) if (!wanted.hasAttribute(name)) old.removeAttribute(name);
  patch(old, [...wanted.childNodes]);
}

// Listeners stay those of the first drawing: they may know the pane and what the marks name, no more.
function patch(parent, children) {
  let old = parent.firstChild;
  for (const wanted of children.filter(Boolean)) {
    const next = old && old.nextSibling;
    if (next && !alike(old, wanted) && alike(next, wanted)) { // a list that moved up by one
      old.remove();
      old = next;
    }
    if (old && alike(old, wanted)) {
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
