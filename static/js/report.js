// The report of a battle. Without this file it is one form that is saved as a whole; here each part is saved as it changes.

const form = document.getElementById("report-form");
const LINGER = 350;
const LOOK_AGAIN = 8000;

// One request at a time. A part that changes again meanwhile keeps what was typed until its own answer comes.
let waiting = Promise.resolve();
let busy = 0;
const pending = new Map();
const count = (id, by) => pending.set(id, (pending.get(id) ?? 0) + by);

const values = (part) => {
  const data = new FormData();
  for (const { name, value, type, checked } of part.querySelectorAll("input[name], select[name]")) {
    if (checked || !["radio", "checkbox"].includes(type)) data.append(name, value);
  }
  return data;
};
const known = (data) => {
  for (const { name, value } of form.querySelectorAll("[data-version]")) if (!data.has(name)) data.append(name, value);
  for (const { dataset } of form.querySelectorAll("[data-said]")) data.append("said", dataset.said);
  return data;
};

const ask = (data, id = "") => {
  busy += 1;
  waiting = waiting.then(async () => {
    if (id) count(id, -1);
    await htmx.ajax("POST", form.dataset.lines, { source: "#main", swap: "none", values: known(data) }).catch(() => {});
    busy -= 1;
  });
};
const save = (part) => {
  count(part.id, 1);
  ask(values(part), part.id);
};

// Several quick presses are one change.
const timers = new Map();
const soon = (part) => {
  if (timers.has(part.id)) clearTimeout(timers.get(part.id));
  else count(part.id, 1);
  timers.set(part.id, setTimeout(() => {
    timers.delete(part.id);
    ask(values(document.getElementById(part.id)), part.id);
  }, LINGER));
};

form.addEventListener("change", ({ target }) => {
  const part = target.closest("[data-part]");
  if (!part) return;
  if (target.name === "end.winners" && target.checked) onlyOne(target);
  save(part);
});

// Who wins alone is one.
const onlyOne = (chosen) => {
  if (form.elements["end.kind"].value !== "alone") return;
  for (const other of form.querySelectorAll("[name='end.winners']")) other.checked = other === chosen;
};

form.addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]");
  if (step) {
    const input = step.parentElement.querySelector("input");
    const before = input.value;
    if (step.dataset.step > 0) input.stepUp();
    else input.stepDown();
    if (input.value !== before) soon(step.closest("[data-part]"));
    return;
  }
  const mine = event.target.closest("[data-save]");
  if (mine) {
    event.preventDefault();
    return save(mine.closest("[data-part]"));
  }
  const theirs = event.target.closest("[data-theirs]");
  if (theirs) {
    event.preventDefault();
    const data = new FormData();
    data.append(`${theirs.dataset.theirs}.version`, "-1");
    ask(data);
  }
});

// Enter in a field saves that field; it does not send the report. Sending waits for what is being saved.
form.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.type !== "number") return;
  event.preventDefault();
  event.target.dispatchEvent(new Event("change", { bubbles: true }));
});
form.addEventListener("submit", (event) => {
  if (!busy && !timers.size) return;
  event.preventDefault();
  const { submitter } = event;
  setTimeout(() => waiting.then(() => form.requestSubmit(document.querySelector(`#actionbar [name="${submitter?.name}"]`))), LINGER);
});

// What the others write shows after a while, unless somebody is in the middle of typing.
const typing = () => document.activeElement?.type === "number" && document.activeElement.value !== document.activeElement.defaultValue;
setInterval(() => {
  if (!busy && !timers.size && !typing() && document.visibilityState === "visible") ask(new FormData());
}, LOOK_AGAIN);

// A refusal (409) is shown like any other answer; what is no answer of ours, as the sign-in page, is better seen.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 409) return;
  detail.shouldSwap = true;
  detail.isError = false;
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status && !xhr.responseText.includes('id="report-refused"')) location.reload();
  const unsent = document.querySelector("[data-unsent]");
  if (xhr.status && unsent) unsent.hidden = true;
});
document.addEventListener("htmx:sendError", () => {
  document.querySelector("[data-unsent]").hidden = false;
});

// What was open stays open, and what had the focus has it again.
let focused;
const place = (element) => {
  const part = element?.closest?.("[data-part]");
  if (!part) return undefined;
  if (element.matches("summary")) return [part.id, "summary"];
  if (element.dataset.step) {
    const { name } = element.parentElement.querySelector("input");
    return [part.id, `.stepper:has([name="${name}"]) [data-step="${element.dataset.step}"]`];
  }
  const value = ["radio", "checkbox"].includes(element.type) ? `[value="${CSS.escape(element.value)}"]` : "";
  return element.name ? [part.id, `[name="${element.name}"]${value}`] : undefined;
};
document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
  if (pending.get(target.id) > 0) {
    detail.shouldSwap = false;
    return;
  }
  if (target.contains(document.activeElement)) focused = place(document.activeElement);
  for (const { id, open } of target.querySelectorAll("details[id]")) {
    const fresh = detail.fragment.querySelector(`#${id}`);
    if (fresh && open) fresh.open = true;
  }
});
document.addEventListener("htmx:oobAfterSwap", () => {
  if (!focused) return;
  const [id, selector] = focused;
  const again = document.getElementById(id)?.querySelector(selector);
  if (!again) return;
  focused = undefined;
  again.focus({ preventScroll: true });
});

// The next problem below where one looks, and then the first again.
document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-next-problem]")) return;
  const problems = [...form.querySelectorAll("[data-problem]")];
  const next = problems[problems.indexOf(document.activeElement) + 1] ?? problems[0];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "center" });
});
