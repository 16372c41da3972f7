// What the server sends and the pane keeps, for the type checker; nothing of it reaches a browser.
// The Python side: tsnmf_ui/label (project_view.py, cards.py, desk.py, bulk.py, refit_changes.py) and
// tsnmf_ui/jobs/fits.py.

export type Confidence = "sure" | "unsure" | "expert";

/** What the page hands to the component. */
export interface PaneData {
  project: number;
  author: string;
  named: boolean; // the author gave a name
  reader: boolean; // the author may change nothing
  token: string;
  modes: [id: string, name: string, why: string][];
}

/** Where the reader is: order of the queue, search or selection, and the open text. */
export interface Place {
  mode: string;
  search: string;
  documents: string; // key of a selection
  document: number | null; // position of the open text
}

/** What a label says. */
export interface Draft {
  permitted: number[];
  forbidden: number[];
  confidence: Confidence;
  nothing_fits: boolean;
  note: string;
}

/** A label as the server keeps it. */
export interface Label extends Draft {
  author: string;
  event: number;
  time: string;
}

/** A piece of a text: topic it speaks for, how strongly, searched for, hidden when folded, topic it is why for. */
export type Piece = [text: string, topic: string | null, strength: number, found: boolean, hidden: boolean, why?: string | null];

/** Words that say why a text belongs to a topic. */
export interface Highlight {
  event: number;
  author: string;
  topics: number[];
  quote: string;
  found: boolean; // still in the text
}

/** The label of a text and those before it. */
export interface LabelState {
  position: number;
  label: Label | null;
  note: string;
  earlier: Label[];
  skipped: boolean;
  doubled: boolean; // two people label it, and have not yet: the label is one's own
  spoken: boolean; // one's own label of a doubled text is confirmed, and waits for a second person
}

export interface Card extends LabelState {
  id: string;
  date: string;
  side: [name: string, value: string][];
  kind: string;
  reason: string;
  pieces: Piece[];
  highlights: Highlight[];
  cut: number; // characters that were not sent
  shares: Record<string, number>; // by topic reference: t7 a named topic, f9 a free one
  run: number; // whose shares these are; 0 before the first fit
}

export interface Topic {
  id: number;
  name: string;
  colour: string;
  key: string; // one or two keys; empty where only the mouse is left
  labelled: number;
  words: string[];
  meaning: string;
}

/** A topic that belongs to no label. */
export interface FreeTopic {
  run: number;
  topic: number; // its column in that run
  key: string; // what it is called in every run
  name: string;
  words: string[];
}

export interface Row {
  position: number;
  id: string;
  snippet: string;
  kind: string;
  reason: string;
  labels: number[];
  nothing: boolean;
  skipped: boolean;
}

export interface RefitChange {
  topic: string | null;
  gained: string[];
  lost: string[];
  moved: number;
  untouched?: number | null; // share of first words kept by topics without new labels
}

export interface Refit {
  run: number;
  preview: boolean; // the full fit follows
  seconds: number;
  finished: string;
  adherence: number | null;
  labelled: number;
  change: RefitChange | null;
  left_out: LeftOut | null; // null without a guide
}

/** What the guide gets right on labelled texts left out, and on an earlier run. */
export interface LeftOut {
  right: number;
  of: number;
  alone: number; // texts that are not counted: the only example of their topics
  missing: number; // labels until there are enough to say anything
  second: boolean; // they must be further labels of topics that have one
  direction: "up" | "down" | "same" | null;
  before: number | null; // share of right ones then
  labelled_before: number;
}

export interface FitState {
  type: "fit";
  kind: string; // "fit": a preview where the full fit takes long; "full fit"
  phase: "idle" | "waiting" | "running" | "done" | "failed" | "cancelled";
  number: number;
  share: number;
  seconds_left: number | null;
  error: string | null;
  run: number | null;
}

/** The list on the left. */
export interface ListView {
  queue: Row[];
  offset: number;
  waiting: number; // texts in the whole list
  list: { kind: "queue" | "search" | "selection" | "saved"; title: string; note?: string; copies?: number };
  search: string;
  documents: string;
  problem: string;
}

/** Counts, topics and the last fit. */
export interface ProjectView {
  project: { id: number; name: string; documents: number; labelled: number; skipped: number; waiting_for_second: number; assigned: number };
  revision: number;
  topics: Topic[];
  free_topics: FreeTopic[];
  people: string[]; // who was given texts
  obeys: boolean; // labels bind this model
  refit: Refit | null;
  saved: string[]; // names of saved searches
}

/** A search under a name, worked through like a queue. */
export interface SavedSearch {
  name: string;
  search: string;
  author: string;
  left: number | null; // null where it no longer makes sense
  problem: string;
}

/** What can be searched for: what is typed, and what it finds. */
export interface SearchFilters {
  all: [typed: string, what: string][];
  columns: [typed: string, what: string][];
}

/** Everything the pane shows. */
export interface View extends ProjectView, ListView {
  mode: string;
  card: Card | null;
  upcoming: Card | null; // shown at once when the reader goes on
}

/** A refusal, in a sentence. */
export interface Refused {
  error: string;
}

/** Somebody else was quicker; draft: the label that was to be saved, added by the pane. */
export interface Conflict {
  conflict: string;
  view: ViewAnswer;
  draft?: Draft;
}

export interface ViewAnswer extends View {
  fit: FitState;
  notice?: string;
  error?: undefined;
  conflict?: undefined;
}

/** The short answer to a label. */
export interface SavedLabel extends ProjectView {
  label_state: LabelState;
  fit: FitState;
}

/** Any answer to a request; which one it is shows in what it has. */
export type Answer = ViewAnswer & Partial<Refused> & Partial<Conflict> & Partial<SavedLabel>;

export interface Example {
  position: number;
  id: string;
  snippet: string;
}

export interface CodebookEntry {
  definition: string;
  include: string;
  exclude: string;
  examples: Example[];
}

/** One label for a whole list. */
export interface BulkRequest {
  permitted: number[];
  forbidden: number[];
  confidence: Confidence;
  nothing_fits: boolean;
  labelled: "leave" | "replace";
  limit: number | null;
}

export interface BulkPreview {
  key: string;
  count: number;
  replaced: number;
  same: number;
  left: number;
  doubled: number; // texts that two people label, one by one
  authors: [author: string, texts: number][];
  sample: Row[];
  replaced_sample: Row[];
}

export interface TopicChange {
  name: string;
  colour: string | null;
  gained: string[];
  lost: string[];
  stability: number;
  touched: boolean;
  kept: [still: number, before: number];
}

/** What a refit changed, in full. */
export interface RefitChanges {
  run: number;
  since: number; // revision of the run before
  first: number; // words of a topic that are compared
  topics: TopicChange[];
  added: string[];
  removed: string[];
  moved: number;
  flows: { from: string; to: string; texts: number }[];
  documents: string; // key of the selection of moved texts
  yours: number;
  others: number;
}

/** Events of the stream. */
export type PaneEvent = FitState | { type: "recorded"; client?: string; author?: string; position?: number } | { type: "task" };

export interface TopicForm {
  kind: "topic" | "find" | "note" | "search";
  free?: FreeTopic;
  /** What was typed to find a topic. */
  text?: string;
  element?: HTMLElement;
}

/** Keep the free topic of a text under the name that the text was labelled with? */
export interface Proposal {
  topic: Topic;
  free: FreeTopic;
  document: number; // the text it is about
}

/** What an element can be given as a child; null, undefined and false are left out. */
export type Child = Node | string | number | null | undefined | false | Child[];
