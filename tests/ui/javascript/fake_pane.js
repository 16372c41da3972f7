// What the parts of the pane need of it, without a page: a view, a queue of jobs, a server that notes.

/** A text without a label. */
export const cardAt = (position, more = {}) => ({
  position, id: `d${position}`, label: null, note: "", earlier: [], skipped: false, pieces: [], highlights: [], doubled: false, spoken: false, shares: {}, run: 1, ...more,
});

/** A label that somebody has given. */
export const labelBy = (author, permitted, more = {}) => ({
  permitted, forbidden: [], confidence: "sure", nothing_fits: false, note: "", author, event: 9, time: "2026-01-01T00:00:00", ...more,
});

export const rowAt = (position) => ({ position, id: `d${position}`, snippet: "", labels: [], nothing: false, skipped: false });

const CODES = [..."123456789", ..."123456789abcdefghijklmnopqrstuvwxyz"].map((key, i) => (i < 9 ? key : `0${key}`));

/** A view of topics 1, 2 …, with their key codes, and of a queue of three texts. */
export const viewOf = ({ card = cardAt(0), topics = 3, ...more } = {}) => ({
  project: { id: 1, name: "Texts", documents: 3, labelled: 0, skipped: 0 }, revision: 1, free_topics: [], obeys: true, refit: null, saved: [],
  topics: Array.from({ length: topics }, (_, i) => ({ id: i + 1, name: `Topic ${i + 1}`, key: CODES[i] || "", words: [], labelled: 0 })),
  queue: [rowAt(0), rowAt(1), rowAt(2)], waiting: 3, list: { kind: "queue", title: "Queue" }, search: "", documents: "", mode: "mixed",
  card, upcoming: null, ...more,
});

/** A pane that notes what is asked of it in `calls`. */
export function fakePane(view = viewOf(), answer = {}) {
  const calls = [];
  const note = (name, result) => (...given) => {
    calls.push([name, ...given]);
    return result;
  };
  return {
    calls, view, data: { project: 1, author: "ann", token: "ann.secret", modes: [["mixed", "", ""], ["random", "", ""]] },
    place: { mode: "mixed", search: "", documents: "", document: view.card && view.card.position },
    seenCard: null, form: null, proposal: { shown: null, dismiss: () => false, offer: note("offer") }, notice: "", stages: { shown: null, reset: note("reset") },
    send: note("send", Promise.resolve(answer)),
    server: { show: note("ask", Promise.resolve(answer)), send: note("sendToServer", Promise.resolve(answer)) },
    show: note("show"), draw: note("draw"), drawLine: note("drawLine"), takeAnswer: note("takeAnswer"),
    showNotice: note("showNotice"), dropWaitingJobs: note("dropWaitingJobs"), refresh: note("refresh"), resetCardState: note("resetCardState"),
    search: { clear: note("clear") },
  };
}

/** The calls of one name, without it. */
export const callsOf = (pane, name) => pane.calls.filter(([each]) => each === name).map(([, ...given]) => given);
