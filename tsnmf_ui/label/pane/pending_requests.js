// @ts-check
// Requests that the server has not answered yet. They outlive a reload and are then sent once more.

/** @typedef {{ client: string, sequence: number, [more: string]: unknown }} SentRequest */

export class PendingRequests {
  /**
   * Kept for one author: whoever signs in next in this tab does not send them as their own.
   * @param {{ project: number, token: string }} data
   */
  constructor({ project, token }) {
    this.key = `pending-${project}-${token.split(".")[0]}`;
  }

  /** @returns {SentRequest[]} oldest first */
  all() {
    return JSON.parse(sessionStorage.getItem(this.key) || "[]");
  }

  /** @param {SentRequest} request */
  add(request) {
    this.save([...this.all(), request]);
  }

  /** @param {SentRequest} request that was answered */
  remove({ client, sequence }) {
    this.save(this.all().filter((each) => each.client !== client || each.sequence !== sequence));
  }

  /** @param {SentRequest[]} requests */
  save(requests) {
    sessionStorage.setItem(this.key, JSON.stringify(requests));
  }
}
