// @ts-check
// A fit has two stages, a preview and the full fit. Both are told of; one of them is shown.

/** @import { FitState } from "./types.js" */

const rank = (/** @type {FitState} */ state) => Number(state.phase === "running");

export class FitStages {
  constructor() {
    /** @type {FitState[]} */
    this.known = [];
  }

  /** The stage that runs, or else the one that was asked for last. */
  get shown() {
    return this.known.at(0) ?? null;
  }

  /**
   * News of one stage.
   * @param {FitState} state
   */
  follow(state) {
    const other = this.known.filter((each) => each.kind !== state.kind);
    this.known = [...other, state].sort((one, two) => rank(two) - rank(one) || two.number - one.number);
  }

  /**
   * An answer of the server: what it shows counts, and nothing that was known before.
   * @param {FitState} state
   */
  reset(state) {
    this.known = [state];
  }
}
