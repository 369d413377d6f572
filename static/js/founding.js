// The founding page. Without this file it works by loading again; here it keeps its place, its focus and its forms.

// One request at a time, in the order of the presses: each makes the version before it stale, and takes what was in its
// form at the moment of the press, because the form may be replaced while it waits.
let waiting = Promise.resolve();
let open = 0;
let pressed;
const ask = (verb, path, values, from) => {
  open += 1;
  waiting = waiting.then(released).then(async () => {
    if (verb === "POST") values.set("version", document.getElementById("version").value);
    pressed = from;
    await htmx.ajax(verb, path, { source: "#draft", swap: "none", values }).catch(() => {});
    open -= 1;
  });
};

// A button that is being pressed must not be replaced under the finger: leaving a field saves it before the press ends.
// Nothing is asked for and nothing moves meanwhile; where an earlier answer comes just then, the press is for what now
// stands in the button's place.
let held = false;
let under;
document.addEventListener("pointerdown", ({ target }) => {
  held = true;
  under = target.closest?.("button[id], a[id]");
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { held = false; });
document.addEventListener("pointerup", ({ target }) => {
  const fresh = under && !under.isConnected && document.getElementById(under.id);
  if (fresh && fresh.contains(target)) fresh.click();
});
const released = () => new Promise((go) => {
  if (!held) return go();
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(go), { once: true });
});
const whose = (element) => ({
  id: element.id,
  member: element.closest("article")?.id,
  near: [element.closest("article, li[id]"), element.closest("section[id]")].map((around) => around?.id),
});

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-order]")) return;
  event.preventDefault();
  const typed = form.elements.name;
  if (submitter?.value === "rename") {
    if (typed.value === typed.defaultValue) return;
    typed.defaultValue = typed.value;
  }
  ask("POST", form.action, new FormData(form, submitter), whose(submitter ?? form));
});

// Founding waits for what is being saved, and does not happen if that was refused.
document.addEventListener("submit", (event) => {
  if (!open || !event.target.matches("[data-found]")) return;
  event.preventDefault();
  waiting = waiting.then(() => {
    const form = document.querySelector("[data-found]");
    if (!document.querySelector("[data-said]") && !form.querySelector(":disabled")) form.submit();
  });
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-part]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask("GET", link.dataset.part, undefined, whose(link));
});

// A name or a devotion is saved when it is left.
document.addEventListener("change", ({ target }) => {
  if (target.closest?.("[data-saves]")) target.form.requestSubmit(target.form.querySelector("[value=rename]"));
});

// Whatever is no answer of ours, as the sign-in page after a long night, is better seen than guessed at.
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status && !xhr.responseText.includes('id="version"')) location.reload();
});
document.addEventListener("htmx:sendError", () => {
  document.querySelector("[data-unsent]").hidden = false;
});

// A refusal (409) is shown like any other answer.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 409) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

// What was open or searched for stays so when its part is replaced.
document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
  for (const { id, open } of target.querySelectorAll("details[id]")) {
    const fresh = detail.fragment.querySelector(`#${id}`);
    if (fresh) fresh.open = open;
  }
  for (const { id, value } of target.querySelectorAll("[data-filters]")) {
    const fresh = detail.fragment.querySelector(`#${id}`);
    if (fresh) fresh.value = value;
  }
});

// Where to go on: the refusal, what was just opened, or what was around a button that has gone or is shut now. Each part
// tells of its settling, so only the first of an answer counts.
let answered;
document.addEventListener("htmx:afterSettle", async ({ detail: { xhr } }) => {
  if (!xhr || xhr === answered) return;
  answered = xhr;
  const { id, member, near } = pressed;
  await released();
  localTimes();
  for (const search of document.querySelectorAll("[data-filters]")) if (search.value) filter(search);
  if (xhr.status === 200) document.getElementById(`name-${member}`)?.removeAttribute("aria-invalid");
  const said = document.querySelector("[data-said]");
  if (said) return said.focus();
  if (id.startsWith("equip-")) return document.getElementById(`equipping-${member}`)?.focus();
  const around = near.map((name) => document.getElementById(name)).find(Boolean);
  if (document.activeElement !== document.body || !around) return;
  around.tabIndex = -1;
  around.focus({ preventScroll: true });
});

// The next problem below where one looks, and then the first again.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-next-problem]");
  if (!link) return;
  const problems = [...document.querySelectorAll("[data-problem]")];
  const at = problems.indexOf(document.activeElement);
  const next = problems[at + 1] ?? problems[0];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "center" });
});

// Search as one types.
const filter = (search) => {
  const list = document.getElementById(search.dataset.filters);
  const wanted = search.value.trim().toLowerCase();
  const rows = [...list.querySelectorAll("[data-name]")];
  for (const row of rows) row.hidden = !row.dataset.name.includes(wanted);
  for (const shelf of list.querySelectorAll("[data-shelf]")) {
    shelf.hidden = !shelf.querySelector("[data-name]:not([hidden])");
  }
  const others = list.querySelector("details");
  if (others && wanted) others.open = Boolean(others.querySelector("[data-name]:not([hidden])"));
  list.querySelector("[data-none]").hidden = rows.some((row) => !row.hidden);
};
document.addEventListener("input", ({ target }) => {
  if (target.dataset?.filters) filter(target);
});

// Times of the day in the reader's own zone.
const localTimes = () => {
  for (const time of document.querySelectorAll("time[data-local]")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
  }
};
localTimes();
