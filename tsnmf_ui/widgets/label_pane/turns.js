// Acts wait for their turn, and meanwhile the text can get a label from somebody else, or an act
// before them can be refused: whoever pressed the key saw neither.

const isDone = ({ label, skipped }) => Boolean(skipped || (label && (label.permitted.length || label.nothing_fits)));

const Turns = {
  // In its turn; not at all if an act was refused meanwhile: what follows it was meant to follow.
  inTurn(job) {
    const { refusals } = this;
    const card = this.view && this.view.card;
    return this.link.enqueue(async () => {
      if (refusals !== this.refusals) return;
      this.looked = card;
      try {
        await job();
      } finally {
        this.looked = null;
      }
    });
  },

  halt() {
    this.refusals += 1;
    this.keys.held = null;
    this.keys.prefix = "";
  },

  // The label that whoever acts has seen. One that somebody else has given since is neither added
  // to nor taken away from: the server will ask.
  seenLabel() {
    const { looked, view: { card } } = this;
    const theirs = card.label && card.label.author !== this.data.author;
    return theirs && looked && looked.position === card.position ? looked.label : card.label;
  },

  draftOf(label) {
    const card = this.view && this.view.card;
    return label || { permitted: [], forbidden: [], confidence: this.confidence, nothing_fits: false, note: (card && card.note) || "" };
  },

  // What is shown, with a label that has reached the disk. The list moves on with its reader, and
  // the model's reading with the news of a refit.
  saved({ said, fit, project, revision, topics }) {
    this.fit = fit;
    this.notice = "";
    const { view } = this;
    const card = { ...view.card, ...said };
    const { permitted, nothing_fits } = said.label || { permitted: [], nothing_fits: false }; // taken back meanwhile
    const queue = view.queue.map((row) => (row.position === said.position ? { ...row, labels: permitted, nothing: nothing_fits, skipped: false } : row));
    const fewer = view.list.kind === "queue" ? isDone(card) - isDone(view.card) : 0;
    return { ...view, project, revision, topics, queue, card, waiting: Math.max(0, view.waiting - fewer) };
  },
};
