// The dialog that labels a whole list: what is typed last counts, and no click is lost.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { fakePane, viewOf } from "./fake_pane.js";
import { openDocument, skip } from "./dom.js";
import { settled } from "./browser.js";
import { paneModule } from "./sources.js";

const { BulkLabel } = await paneModule("bulk_label.js");
const { Dialog } = await paneModule("dialog.js");
const { JobQueue } = await paneModule("job_queue.js");

let pane;
let asked;

const find = (key) => pane.dialog.element.querySelector(`[data-k="${key}"]`);
const previewOf = ({ limit }) => ({ key: `first ${limit}`, count: limit ?? 20, sample: [], authors: [], replaced_sample: [] });

beforeEach(async () => {
  if (skip) return;
  const element = openDocument("<dialog></dialog>").querySelector("dialog");
  Object.assign(globalThis, { CSS: { escape: String } });
  Object.assign(element, { open: false, showModal: () => (element.open = true), close: () => (element.open = false) });
  asked = [];
  pane = fakePane(viewOf({ list: { kind: "search", title: "Search" }, waiting: 20 }));
  Object.assign(pane, { dialog: new Dialog(element), jobs: new JobQueue() });
  pane.server.post = async (_, { ask }) => (asked.push(ask), previewOf(ask));
  pane.bulk = new BulkLabel(pane);
  await pane.bulk.open();
  find("bp1").dispatchEvent(new (globalThis.document.defaultView.Event)("click", { bubbles: true }));
  await settled();
});

test("a click right after a number was typed labels so many texts", { skip }, async () => {
  const Event = globalThis.document.defaultView.Event;
  const [button, limit] = [find("bulk-yes"), find("b-limit")];
  limit.value = "7";
  limit.dispatchEvent(new Event("input", { bubbles: true }));
  assert.equal(find("bulk-yes"), button, "the button that is being pressed stays");
  button.dispatchEvent(new Event("click", { bubbles: true }));
  await settled();
  const [[request]] = pane.calls.filter(([name]) => name === "send").map(([, ...given]) => given);
  assert.equal(request.key, "first 7");
  assert.equal(request.limit, 7);
  assert.deepEqual(request.permitted, [1]);
});
