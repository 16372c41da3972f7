// One listener for all keys of the page, before Streamlit's own. A key is looked up when pressed
// and done in its turn, so that none is lost however fast they come.

class Keys {
  constructor(pane) {
    this.pane = pane;
    this.prefix = ""; // first key of a two-key code
    this.held = null; // what is typed while a field is about to open
    this.listener = (event) => this.press(event);
    document.addEventListener("keydown", this.listener, true);
  }

  release() {
    document.removeEventListener("keydown", this.listener, true);
  }

  press(event) {
    const target = event.composedPath()[0] || {};
    const typing = target.isContentEditable || target.tagName === "TEXTAREA" || target.tagName === "SELECT" ||
      (target.tagName === "INPUT" && !["checkbox", "radio", "button"].includes(target.type));
    if (event.isComposing) return;
    if (typing) {
      if (event.key !== "Escape") return;
      target.blur(); // a second Escape closes what is around it
      event.preventDefault();
      return;
    }
    if (document.querySelector('[role="dialog"]') || !this.pane.view) return;
    if (this.held && !this.held.over && this.hold(event)) return;
    const act = this.meaning(event, target);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.pane.inTurn(act);
  }

  // A field opens in its turn; what is typed until then belongs into it, and is no command.
  opens(open) {
    const held = (this.held = { text: "", over: false });
    return async () => {
      open();
      if (this.held === held) this.held = null;
      const field = this.pane.root.activeElement;
      if (held.text && field && "selectionStart" in field) await this.pane.link.within(() => this.type(field, held.text));
    };
  }

  hold(event) {
    const letter = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    if (!letter && event.key !== "Backspace" && event.key !== "Enter") return false;
    if (event.key === "Backspace") this.held.text = this.held.text.slice(0, -1);
    else this.held.text += letter ? event.key : "\n";
    this.held.over = event.key === "Enter"; // what follows are commands again
    event.preventDefault();
    event.stopImmediatePropagation();
    return true;
  }

  type(field, text) {
    field.setRangeText(text.replace("\n", ""), field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
    if (text.endsWith("\n")) field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  }

  meaning(event, target) {
    const { pane } = this;
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (pane.sheet.shown) return this.inSheet(key, control);
    if (control) {
      if (key === "z") return () => pane.turn(event.shiftKey ? "redo" : "undo");
      return key === "y" ? () => pane.turn("redo") : null;
    }
    const native = target.tagName === "BUTTON" && target.matches(":focus-visible");
    if (native && (key === "Enter" || key === " ")) return null;
    if (["Alt", "Shift", "AltGraph", "CapsLock"].includes(key)) return null;
    const plain = this.plain(event, key);
    if (this.prefix) {
      const whole = this.prefix + plain;
      this.prefix = ""; // at once: keys may come faster than acts are done
      return () => pane.coded(whole, event.altKey);
    }
    if (/^[1-9]$/.test(plain)) return () => pane.coded(plain, event.altKey);
    if (["0", "-", "="].includes(plain) && pane.view.topics.length > 9) return this.begin(plain);
    if (event.altKey) return null;
    if (this.fields()[key]) return this.opens(this.fields()[key]);
    return this.commands()[key] || (["r", "c"].includes(key) ? () => {} : null); // Streamlit's own keys rest here
  }

  // The key as if Alt and the number pad were not there.
  plain(event, key) {
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
    const letter = /^Key([A-Z])$/.exec(event.code);
    if (digit && (event.altKey || event.code[0] === "N")) return digit[1];
    return letter && event.altKey ? letter[1].toLowerCase() : key;
  }

  inSheet(key, control) {
    const { sheet } = this.pane;
    if (key === "Escape" || (key === "?" && !control)) return () => sheet.close();
    return control ? null : sheet.keys[key] || null;
  }

  begin(prefix) {
    this.prefix = prefix;
    return () => this.pane.drawLine();
  }

  fields() {
    const { pane } = this;
    return { t: () => pane.fill("topic"), n: () => pane.fill("note"), "/": () => pane.find("search").focus() };
  }

  commands() {
    const { pane } = this;
    return {
      Enter: () => pane.next(),
      s: () => pane.skip(),
      x: () => pane.view.card && pane.nothingFits(),
      e: () => pane.nextConfidence(),
      m: () => pane.nextMode(),
      a: () => pane.bulk.open(),
      b: () => pane.codebook.open(null),
      d: () => pane.changes.open(),
      ArrowLeft: () => pane.goBack(),
      Backspace: () => pane.goBack(),
      ArrowRight: () => pane.goForward(),
      ArrowDown: () => pane.step(1),
      ArrowUp: () => pane.step(-1),
      " ": () => pane.unfold(),
      "?": () => pane.help(),
      Escape: () => pane.escape(),
    };
  }
}
