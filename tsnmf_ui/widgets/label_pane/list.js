// The list on the left: what comes next, what was found, or what somebody chose. It grows as it
// is scrolled; the server hands out one stretch at a time.

const STRETCH = 30; // rows the server sends at a time

function drawRow(view, row, here, open) {
  const current = row.position === here;
  const queue = view.list.kind === "queue";
  const dots = row.labels.map((id) => view.topics.find((topic) => topic.id === id)).filter(Boolean);
  const state = row.nothing ? "nothing fits" : row.skipped ? "skipped" : "";
  return h("li", { "data-row": row.position }, h("button", {
    type: "button", class: current ? "row here" : "row", "data-k": `q-${row.position}`,
    "aria-current": current ? "true" : null, on: { click: () => open(row.position) },
  },
    h("strong", {}, h("em", {}, queue ? row.reason : `#${row.id}`), !queue && row.reason ? h("i", {}, row.reason) : null,
      state ? h("i", {}, state) : null,
      dots.length ? h("span", { class: "dots", title: dots.map((topic) => topic.name).join(", "), "aria-label": `labelled ${dots.map((topic) => topic.name).join(", ")}` },
        dots.slice(0, 4).map((topic) => h("b", { style: { background: topic.colour } }))) : null),
    h("span", { class: "snippet" }, row.snippet)));
}

function drawQueue(pane) {
  const { act, view } = pane;
  const here = view.card && view.card.position;
  const queue = view.list.kind === "queue";
  const open = act((position) => pane.open(position));
  const rows = view.queue.map((row) => drawRow(view, row, here, open));
  const some = !queue && view.waiting > 0;
  const count = view.list.kind === "selection" ? plural(view.waiting, "text") : plural(view.waiting, "match", "matches");
  const empty = view.problem || (queue ? "Nothing is waiting." : "No text matches.");
  return [
    h("h2", {}, h("em", { title: view.list.title }, view.list.title), queue ? null : h("span", {}, count)),
    !queue ? h("div", { class: "whole" },
      some ? h("button", { type: "button", class: "all", "data-k": "all", on: { click: act(() => pane.bulk.open()) } }, `Label all ${number(view.waiting)}…`, h("kbd", {}, "A")) : null,
      h("button", { type: "button", "data-k": "leave", on: { click: act(() => pane.finder.leave()) } }, "Back to the queue")) : null,
    rows.length ? h("ol", { class: "rows" }, rows) : h("p", { class: view.problem ? "empty problem" : "empty" }, empty),
  ];
}

const listOf = ({ queue, offset, waiting, list, search, documents, problem }) => ({ queue, offset, waiting, list, search, documents, problem });

// Rows that were scrolled to stay when an act brings the first stretch anew.
function withTail(answer, before) {
  if (!before || before.queue.length <= STRETCH) return answer.queue;
  const had = new Set(answer.queue.map((row) => row.position));
  return [...answer.queue, ...before.queue.slice(STRETCH).filter((row) => !had.has(row.position))];
}
