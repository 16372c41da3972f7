// What a page says while the server does not answer.
import assert from "node:assert/strict";
import { test } from "node:test";

import { openDocument, skip } from "./dom.js";

const { explain } = await import("../../../tsnmf_ui/pages/widgets/reconnecting.js");
const dialog = (title) => `<section role="dialog"><h2>${title}</h2><div><div>Are you connected to the internet?</div></div></section>`;

test("the dialog about the connection says that the page tries again, others stay", { skip }, () => {
  const body = openDocument(dialog("Connection error") + dialog("Restore this state?"));
  explain(body);
  const [lost, other] = body.querySelectorAll("[role=dialog]");
  assert.match(lost.textContent, /^Reconnecting….*reconnects automatically/);
  assert.doesNotMatch(lost.textContent, /internet/);
  assert.match(other.textContent, /internet/);
});
