// @ts-check
// Jobs run one after the other, so that a key meets the card that was on screen when it was pressed.

/** @typedef {() => unknown} Job may return a promise */

export class JobQueue {
  /** @param {() => void} [onIdle] called when the last job is done */
  constructor(onIdle = () => {}) {
    this.onIdle = onIdle;
    this.unfinished = 0;
    /** @type {Promise<void>} */
    this.last = Promise.resolve();
    /** @type {Job[] | null} */
    this.nested = null; // jobs that the running one asks for
  }

  /**
   * Run a job after all that wait; a job that fails is logged and the next one runs.
   * @param {Job} job
   */
  enqueue(job) {
    if (this.nested) return this.nested.push(job);
    this.unfinished += 1;
    const done = () => {
      this.unfinished -= 1;
      if (!this.unfinished) this.onIdle();
    };
    this.last = this.last.then(() => job()).catch((error) => console.error(error)).then(done);
    return this.last;
  }

  /**
   * What is enqueued while `start` runs belongs to the running job, and comes before what waits.
   * @param {() => void} start
   */
  async runNested(start) {
    /** @type {Job[]} */
    const jobs = [];
    this.nested = jobs;
    try {
      start();
    } finally {
      this.nested = null;
    }
    for (const job of jobs) await job();
  }
}
