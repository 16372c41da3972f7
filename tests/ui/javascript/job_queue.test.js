// Jobs run one after the other, whatever they wait for.
import assert from "node:assert/strict";
import { test } from "node:test";

import { paneModule } from "./sources.js";
import { settled } from "./browser.js";

const { JobQueue } = await paneModule("job_queue.js");

test("a job begins when the one before it has ended", async () => {
  const jobs = new JobQueue();
  const done = [];
  let finish;
  jobs.enqueue(() => new Promise((resolve) => (finish = resolve)).then(() => done.push("slow")));
  const last = jobs.enqueue(() => done.push("quick"));
  await settled();
  assert.deepEqual(done, []);
  assert.equal(jobs.unfinished, 2);
  finish();
  await last;
  assert.deepEqual(done, ["slow", "quick"]);
  assert.equal(jobs.unfinished, 0);
});

test("a job that fails is logged, and does not stop the next one", async (t) => {
  const log = t.mock.method(console, "error", () => {});
  const jobs = new JobQueue();
  const done = [];
  jobs.enqueue(() => {
    throw new Error("no");
  });
  await jobs.enqueue(() => done.push("next"));
  assert.deepEqual(done, ["next"]);
  assert.equal(log.mock.callCount(), 1);
});

test("jobs that a running job asks for come before those that wait", async () => {
  const jobs = new JobQueue();
  const done = [];
  jobs.enqueue(() => jobs.runNested(() => {
    jobs.enqueue(async () => done.push("inner 1"));
    jobs.enqueue(async () => done.push("inner 2"));
  }));
  await jobs.enqueue(() => done.push("waiting"));
  assert.deepEqual(done, ["inner 1", "inner 2", "waiting"]);
});

test("an error while jobs are asked for leaves the queue as it was", async (t) => {
  t.mock.method(console, "error", () => {});
  const jobs = new JobQueue();
  const done = [];
  jobs.enqueue(() => jobs.runNested(() => {
    throw new Error("no");
  }));
  await jobs.enqueue(() => done.push("next"));
  assert.deepEqual(done, ["next"]);
});

test("idle is told once, when the last job has ended", async () => {
  const told = [];
  const jobs = new JobQueue(() => told.push(jobs.unfinished));
  jobs.enqueue(() => {});
  await jobs.enqueue(() => {});
  assert.deepEqual(told, [0]);
});
