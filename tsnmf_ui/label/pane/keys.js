// @ts-check
// One listener for all keys of the page, before Streamlit's own. A key is looked up when pressed
// and done in its turn, so that none is lost however fast they come.

/** @import { Pane } from "./pane.js" */
/** @import { Job } from "./job_queue.js" */

import { AssignList } from "./assign.js";
import { openForm } from "./forms.js";
import { Highlights } from "./highlight.js";
import { showKeyHelp } from "./key_help.js";
import { strongestFreeTopic } from "./topics.js";

const CODE_PREFIXES = ["0", "-", "="]; // first keys of a topic's code, from the tenth topic on
const MAX_PREFIXES = 3;
const MODIFIERS = ["Alt", "Shift", "AltGraph", "CapsLock"];
const STREAMLIT_KEYS = ["r", "c"]; // rerun and clear cache: they do nothing on this page

/** @typedef {Pick<KeyboardEvent, "key" | "code" | "altKey">} Key */

/**
 * The key as if Alt and the number pad were not there.
 * @param {Key} event
 */
export function plainKey({ key, code, altKey }) {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code);
  const letter = /^Key([A-Z])$/.exec(code);
  if (digit && (altKey || code[0] === "N")) return digit[1];
  return letter && altKey ? letter[1].toLowerCase() : normalised(key);
}

/** @param {string} key */
const normalised = (key) => (key.length === 1 ? key.toLowerCase() : key);

/** @param {HTMLElement} target of a key event */
export function isTextField(target) {
  const { isContentEditable, tagName } = target;
  const { type } = /** @type {HTMLInputElement} */ (target);
  return isContentEditable || tagName === "TEXTAREA" || tagName === "SELECT" ||
    (tagName === "INPUT" && !["checkbox", "radio", "button"].includes(type));
}

export class Keys {
  /** @param {Pane} pane */
  constructor(pane) {
    this.pane = pane;
    this.prefix = ""; // first keys of a code
    /** @type {{ text: string, complete: boolean } | null} */
    this.typedAhead = null; // what is typed while a field is about to open
    this.listener = (/** @type {KeyboardEvent} */ event) => this.onKeyDown(event);
    document.addEventListener("keydown", this.listener, { capture: true });
  }

  release() {
    document.removeEventListener("keydown", this.listener, { capture: true });
  }

  /** What was pressed for jobs that are dropped. */
  forget() {
    this.typedAhead = null;
    this.prefix = "";
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    if (event.isComposing) return;
    const target = /** @type {HTMLElement} */ (event.composedPath()[0] || {});
    if (isTextField(target)) {
      if (event.key !== "Escape") return;
      target.blur(); // a second Escape closes what is around it
      event.preventDefault();
      return;
    }
    if (document.querySelector('[role="dialog"]') || !this.pane.view) return;
    if (this.keepTypedAhead(event)) return;
    const job = this.jobFor(event, target);
    if (!job) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.pane.inTurn(job);
  }

  /**
   * A field opens in its turn; what is typed until then belongs into it, and is no command.
   * @param {() => void} open
   */
  openField(open) {
    const typed = (this.typedAhead = { text: "", complete: false });
    return async () => {
      open();
      if (this.typedAhead === typed) this.typedAhead = null;
      const field = this.pane.root.activeElement;
      if (!typed.text || !field || !("selectionStart" in field)) return;
      await this.pane.jobs.runNested(() => this.typeInto(/** @type {HTMLInputElement} */ (field), typed.text));
    };
  }

  /** @param {KeyboardEvent} event */
  keepTypedAhead(event) {
    const typed = this.typedAhead;
    if (!typed || typed.complete) return false;
    const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    if (!letter && event.key !== "Backspace" && event.key !== "Enter") return false;
    if (event.key === "Backspace") typed.text = typed.text.slice(0, -1);
    else typed.text += letter ? event.key : "\n";
    typed.complete = event.key === "Enter"; // what follows are commands again
    event.preventDefault();
    event.stopImmediatePropagation();
    return true;
  }

  /** @param {HTMLInputElement} field @param {string} text a line break at its end means Enter */
  typeInto(field, text) {
    field.setRangeText(text.replace("\n", ""), field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (text.endsWith("\n")) field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  }

  /**
   * What a key means now; null where it is not ours.
   * @param {KeyboardEvent} event @param {HTMLElement} target
   * @returns {Job | null}
   */
  jobFor(event, target) {
    const { pane } = this;
    const key = normalised(event.key);
    const control = event.ctrlKey || event.metaKey;
    if (pane.dialog.shown) return this.jobInDialog(key, control);
    if (control) return this.jobWithControl(key, event.shiftKey);
    const pressesButton = target.tagName === "BUTTON" && target.matches(":focus-visible");
    if (pressesButton && (key === "Enter" || key === " ")) return null;
    if (MODIFIERS.includes(key)) return null;
    return this.jobForTopic(plainKey(event), event.altKey) || (event.altKey ? null : this.jobForCommand(key));
  }

  /** @param {string} key @param {boolean} control */
  jobInDialog(key, control) {
    const { dialog } = this.pane;
    if (key === "Escape" || (key === "?" && !control)) return () => dialog.close();
    return control ? null : dialog.keys[key] || null;
  }

  /** @param {string} key @param {boolean} shift */
  jobWithControl(key, shift) {
    if (key === "z") return () => this.pane.undoOrRedo(shift ? "redo" : "undo");
    return key === "y" ? () => this.pane.undoOrRedo("redo") : null;
  }

  /** @param {string} key @param {boolean} forbids */
  jobForTopic(key, forbids) {
    const { pane } = this;
    const goesOn = CODE_PREFIXES.includes(key) && this.prefix.length < MAX_PREFIXES && pane.view.topics.length > 9;
    if (this.prefix && !goesOn) {
      const code = this.prefix + key;
      this.prefix = ""; // at once: keys may come faster than jobs are done
      return () => pane.labels.toggleByCode(code, forbids);
    }
    if (/^[1-9]$/.test(key)) return () => pane.labels.toggleByCode(key, forbids);
    if (!goesOn) return null;
    this.prefix += key;
    return () => pane.drawLine();
  }

  /** @param {string} key */
  jobForCommand(key) {
    const field = this.fields()[key];
    if (field) return this.openField(field);
    return this.commands()[key] || (STREAMLIT_KEYS.includes(key) ? () => {} : null);
  }

  /** @returns {Record<string, () => void>} keys that open a field to type into */
  fields() {
    const { pane } = this;
    const free = strongestFreeTopic(pane.view);
    return { ...(free ? { f: () => openForm(pane, "topic", free) } : {}), t: () => openForm(pane, "topic"), ".": () => openForm(pane, "find"), n: () => openForm(pane, "note"), "/": () => pane.find("search").focus() };
  }

  /** @returns {Record<string, Job>} */
  commands() {
    const { pane } = this;
    const { labels, navigation } = pane;
    return {
      Enter: () => navigation.next(),
      s: () => navigation.skip(),
      x: () => pane.view.card && labels.toggleNothingFits(),
      e: () => labels.nextConfidence(),
      m: () => navigation.nextMode(),
      q: () => pane.saved.toggle(),
      a: () => pane.bulk.open(),
      g: () => new AssignList(pane).open(),
      h: () => new Highlights(pane).add(),
      b: () => pane.codebook.open(null),
      d: () => pane.changes.open(),
      ...(pane.proposal.shown ? { y: () => pane.proposal.accept() } : {}),
      l: () => pane.search.findSimilar(),
      ArrowLeft: () => navigation.goBack(),
      Backspace: () => navigation.goBack(),
      ArrowRight: () => navigation.goForward(),
      ArrowDown: () => navigation.step(1),
      ArrowUp: () => navigation.step(-1),
      " ": () => pane.unfold(),
      "?": () => showKeyHelp(pane),
      Escape: () => pane.escape(),
    };
  }
}
