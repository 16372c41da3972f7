// @ts-check
// While the server does not answer, Streamlit asks whether one is connected to the internet. Here the
// server is the Studio's own: say that the page tries again by itself. It closes when it is back.

const THEIR_TITLE = "Connection error";
const TITLE = "Reconnecting…";
const SENTENCE = "The Studio's server does not answer at the moment; it may be restarting. This page reconnects automatically, and nothing that was saved is lost.";
const INSTALLED = "tsReconnecting"; // one observer for all pages, however often a page is drawn

/** @param {ParentNode} root */
export function explain(root) {
  for (const dialog of root.querySelectorAll("[role=dialog]")) {
    const title = dialog.querySelector("h2");
    if (title?.textContent !== THEIR_TITLE) continue;
    title.textContent = TITLE;
    const body = title.nextElementSibling;
    if (body) (body.firstElementChild ?? body).textContent = SENTENCE;
  }
}

export default function () {
  const { body } = document;
  if (body.dataset[INSTALLED]) return;
  body.dataset[INSTALLED] = "yes";
  new MutationObserver(() => explain(body)).observe(body, { childList: true, subtree: true });
}
