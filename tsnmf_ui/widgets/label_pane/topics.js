// The topics as buttons: the background of a button is the topic's share in the text.

function topicButton(view, topic, draft, act) {
  const reference = `t${topic.id}`;
  const share = view.card ? view.card.shares[reference] : undefined;
  const on = draft.permitted.includes(topic.id);
  const off = draft.forbidden.includes(topic.id);
  const state = on ? "permitted" : off ? "not permitted" : "not said";
  const shown = share === undefined ? (topic.words.length || !view.obeys ? "–" : "new") : percent(share);
  const wordless = view.obeys ? "The next fit finds the words of this topic." : "No topic of the model matches this label yet.";
  return h("li", { class: `topic${on ? " on" : ""}${off ? " off" : ""}`, style: { "--c": topic.colour, "--share": `${(share || 0) * 100}%` } },
    h("button", {
      type: "button", class: "pick", "data-k": reference, "aria-pressed": String(on), disabled: !view.card,
      "aria-label": `${topic.name}, ${state}, ${shown} of this text`,
      title: [topic.meaning, topic.words.length ? topic.words.join(" · ") : wordless].filter(Boolean).join("\n"),
      on: { click: () => act.permit(topic.id) },
    },
      h("kbd", {}, topic.key || "·"), h("span", { class: "name" }, topic.name, h("small", {}, topic.words.slice(0, 5).join(" · "))),
      h("span", { class: "n", title: `${plural(topic.labelled, "label")}` }, topic.labelled || ""),
      h("span", { class: "share" }, shown)),
    h("button", {
      type: "button", class: "not", "data-k": `n${topic.id}`, "aria-pressed": String(off), disabled: !view.card,
      "aria-label": `${topic.name} is not permitted in this text`, title: `Not permitted (Alt+${topic.key || "click"})`,
      on: { click: () => act.forbid(topic.id) },
    }, "not"),
    h("button", {
      type: "button", class: "about", "data-k": `i${topic.id}`, "aria-label": `What ${topic.name} means`, title: "Codebook (B)",
      on: { click: () => act.explain(topic.id) },
    }, "?"));
}

function foundRow(view, found, act) {
  const share = view.card ? view.card.shares[`f${found.topic}`] : undefined;
  const words = found.words.slice(0, 5).join(" · ");
  return h("li", { class: "free", style: { "--share": `${(share || 0) * 100}%` } },
    h("span", { class: "words", title: found.words.join(" · ") }, h("b", {}, found.name), words),
    h("span", { class: "share" }, share === undefined ? "–" : percent(share)),
    view.obeys && h("button", {
      type: "button", "data-k": `a${found.topic}`, "data-run": found.run, "aria-label": `Adopt the topic with the words ${words}`,
      title: "Make this one of your topics", on: { click: () => act.adopt(found) },
    }, "Adopt"));
}

function drawConfidence(draft, act) {
  return h("div", { class: "confidence", role: "radiogroup", "aria-label": "How sure are you?" },
    ["sure", "unsure", "expert"].map((level) =>
      h("button", {
        type: "button", role: "radio", "data-k": `c-${level}`, "aria-checked": String(draft.confidence === level),
        title: { sure: "Counts once", unsure: "Counts half", expert: "Counts twice" }[level],
        on: { click: () => act.confidence(level) },
      }, level.replace(/^./, (c) => c.toUpperCase()))));
}

function drawTopics(pane) {
  const { view, draft, fit, acts } = pane;
  const { topics, found } = view;
  const first = fit && ["waiting", "running"].includes(fit.phase) && !view.refit;
  const hint = topics.length > 9 ? "1–9, 0 1 … allow · Alt forbid" : "1–9 allow · Alt forbid";
  const empty = h("p", { class: "empty" }, "No topics yet. Press ", h("kbd", {}, "T"), " to name the first one",
    found.length && view.obeys ? ", or adopt one that the model found." : ".");
  return [
    h("h2", {}, "Topics in this text", h("span", {}, topics.length ? hint : "")),
    h("div", { class: "list" },
      pane.formPlace("topic"),
      topics.length ? h("ul", { class: "topics" }, topics.map((topic) => topicButton(view, topic, draft, acts))) : empty,
      found.length ? [h("h2", { class: "second" }, "Found by the model", h("span", {}, view.obeys ? "not yet yours" : "matching no label")),
        h("ul", { class: "topics" }, found.map((each) => foundRow(view, each, acts)))] : null,
      first ? h("p", { class: "empty" }, "The first fit is running. What the model finds appears here.") : null),
    h("div", { class: "foot" }, drawConfidence(draft, acts),
      h("button", { type: "button", class: "book", "data-k": "book", on: { click: () => acts.explain(null) } }, "Codebook ", h("kbd", {}, "B"))),
  ];
}
