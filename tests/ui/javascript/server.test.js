// Requests are repeated until they are answered, and outlive a reload.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { FakeEventSource, openPage, settled } from "./browser.js";
import { paneModule } from "./sources.js";

const { Server } = await paneModule("server.js");
const { PendingRequests } = await paneModule("pending_requests.js");

const PLACE = { mode: "mixed", search: "", documents: "", document: null };

let browser;
let told;
let requests;
let answers; // a status, or an error to throw; 200 when there is none left

beforeEach(() => {
  browser = openPage();
  told = [];
  requests = [];
  answers = [];
  globalThis.fetch = async (address, options = {}) => {
    requests.push({ address, ...options, body: options.body && JSON.parse(options.body) });
    const answer = answers.shift() ?? 200;
    if (answer instanceof Error) throw answer;
    return { status: answer, json: async () => ({ status: answer }) };
  };
});

const serverFor = (token = "ann.secret") =>
  new Server({ project: 7, author: "ann", token, modes: [] }, {
    onEvent: (event) => told.push(event),
    onTrouble: (sentence) => told.push(sentence),
    requestToken: () => told.push("token please"),
  });

/** Wait for an answer while the clock runs. */
async function answered(promise) {
  let done = false;
  promise.then(() => (done = true));
  for (let turn = 0; !done && turn < 50; turn++) {
    await settled();
    if (!done) browser.clock.pass(3000);
  }
  return promise;
}

test("a reader's changes are refused here; going on is asked for", async () => {
  const server = serverFor();
  server.data = { ...server.data, reader: true };
  for (const kind of ["label", "undo", "create_topic"])
    assert.deepEqual(await server.send(PLACE, { kind }), { error: "You can read this project, but not change it." });
  assert.equal(requests.length, 0);
  await server.send(PLACE, { kind: "next" });
  assert.equal(requests.length, 1);
});

test("a place becomes a query without what is empty", async () => {
  await serverFor().show({ ...PLACE, search: "a b", document: 0 });
  assert.equal(requests[0].address, "api/desk?project=7&mode=mixed&search=a+b&document=0");
  assert.equal(requests[0].headers["x-token"], "ann.secret");
});

test("a busy and a silent server are asked again, and the reader hears of it", async () => {
  answers = [503, new TypeError("offline"), 200];
  const answer = await answered(serverFor().show(PLACE));
  assert.deepEqual(answer, { status: 200 });
  assert.equal(requests.length, 3);
  assert.match(told[0], /busy/);
  assert.match(told[1], /does not answer/);
  assert.equal(told[2], null);
});

test("a refusal that is an answer is not repeated", async () => {
  answers = [409];
  assert.deepEqual(await serverFor().show(PLACE), { status: 409 });
  assert.equal(requests.length, 1);
});

test("an old token is replaced, and the request sent again with the new one", async () => {
  answers = [403, 200];
  const server = serverFor();
  const answer = server.send(PLACE, { kind: "next" });
  await settled();
  assert.deepEqual(told, ["token please", "Reconnecting…"]);
  server.renew({ ...server.data, token: "ann.newer" });
  await answered(answer);
  assert.deepEqual(requests.map((each) => each.headers["x-token"]), ["ann.secret", "ann.newer"]);
  assert.equal(requests[0].body.sequence, requests[1].body.sequence);
});

test("whoever asks the page for a token can be replaced while an answer is awaited", async () => {
  answers = [403, 403, 200];
  const server = serverFor();
  const answer = server.show(PLACE);
  await settled();
  server.handlers.requestToken = () => told.push("the newer one");
  await answered(answer);
  assert.deepEqual(told.filter((each) => /token|newer/.test(each)), ["token please", "the newer one"]);
});

test("an answer to what is no longer asked is null", async () => {
  const abort = new AbortController();
  answers = [Object.assign(new Error("aborted"), { name: "AbortError" })];
  assert.equal(await serverFor().rows(PLACE, 0, abort.signal), null);
  abort.abort();
  assert.equal(await serverFor().rows(PLACE, 0, abort.signal), null);
  assert.equal(requests.length, 1);
});

test("a closed pane asks no more", async () => {
  answers = [503];
  const server = serverFor();
  const answer = server.show(PLACE);
  await settled();
  server.close();
  assert.deepEqual(await answered(answer), { error: "" });
  assert.equal(requests.length, 1);
  assert.deepEqual(FakeEventSource.connected, []);
});

test("requests are numbered, kept until they are answered, and sent although the tab closes", async () => {
  const server = serverFor();
  const first = server.send(PLACE, { kind: "next" });
  const second = server.send(PLACE, { kind: "skip" });
  assert.deepEqual(server.pending.all().map((each) => each.sequence), [1, 2]);
  await Promise.all([first, second]);
  browser.clock.pass(30);
  assert.deepEqual(server.pending.all(), []);
  assert.ok(requests.every((each) => each.keepalive && each.method === "POST"));
});

test("after a reload unanswered requests are sent as they were", async () => {
  globalThis.fetch = () => new Promise(() => {});
  serverFor().send(PLACE, { kind: "skip", position: 3 });
  const [kept] = serverFor().pending.all();
  globalThis.fetch = async (address, { body }) => {
    requests.push(JSON.parse(body));
    return { status: 200, json: async () => ({}) };
  };
  const reloaded = serverFor();
  await reloaded.resend();
  assert.deepEqual(requests, [kept]);
  assert.notEqual(reloaded.client, kept.client);
  assert.deepEqual(reloaded.pending.all(), []);
});

test("a request that nobody has answered when the page is left is sent by the next visit", async () => {
  answers = [new TypeError("offline")];
  const server = serverFor();
  const answer = server.send(PLACE, { kind: "skip", position: 3 });
  await settled();
  server.close();
  assert.deepEqual(await answered(answer), { error: "" });
  browser.clock.pass(3000);
  const next = serverFor();
  assert.equal(next.pending.all().length, 1);
  await next.resend();
  assert.deepEqual(requests[1].body, requests[0].body);
  assert.deepEqual(next.pending.all(), []);
});

test("a page that is left while it sends again keeps what is left to send", async () => {
  const pending = new PendingRequests({ project: 7, token: "ann.secret" });
  for (const sequence of [1, 2, 3]) pending.add({ client: "before", sequence });
  answers = [200, new TypeError("offline")];
  const server = serverFor();
  const sending = server.resend();
  await settled();
  server.close();
  await answered(sending);
  assert.deepEqual(pending.all().map((each) => each.sequence), [2, 3]);
});

test("a page that was left sends nothing new", async () => {
  const server = serverFor();
  server.close();
  assert.deepEqual(await server.send(PLACE, { kind: "undo" }), { error: "" });
  assert.deepEqual([requests, server.pending.all()], [[], []]);
});

test("another author does not send what somebody left behind", () => {
  const request = { client: "a", sequence: 1 };
  new PendingRequests({ project: 7, token: "ann.secret" }).add(request);
  assert.deepEqual(new PendingRequests({ project: 7, token: "bob.secret" }).all(), []);
  assert.deepEqual(new PendingRequests({ project: 8, token: "ann.secret" }).all(), []);
  assert.deepEqual(new PendingRequests({ project: 7, token: "ann.newer" }).all(), [request]);
});

test("a refused stream asks for a token and tries again; what was missed counts as recorded", () => {
  serverFor();
  FakeEventSource.opened[0].refuse();
  assert.deepEqual(told, ["token please"]);
  browser.clock.pass(3000);
  assert.equal(FakeEventSource.connected.length, 1);
  assert.deepEqual(told, ["token please", { type: "recorded" }]);
});
