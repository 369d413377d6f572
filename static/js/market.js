// The market. Without this file it works by loading again; here it keeps its place, its focus and what is typed.

// One request at a time, in the order of the presses: each makes the version before it stale.
let waiting = Promise.resolve();
let busy = 0;
const ask = (path, values) => {
  busy += 1;
  waiting = waiting.then(async () => {
    values.set("version", document.querySelector("[name=version]").value);
    values.set("back", location.search);
    await htmx.ajax("POST", path, { source: "#market", target: "#market", select: "#market", swap: "outerHTML", values }).catch(() => {});
    busy -= 1;
  });
};

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-order]")) return;
  event.preventDefault();
  ask(form.action, new FormData(form, submitter));
});

// Paying waits for what is being put into the basket, and is sent once.
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-pay]")) return;
  if (!busy && !form.dataset.pay) return void (form.dataset.pay = "sent");
  event.preventDefault();
  if (form.dataset.pay) return;
  form.dataset.pay = "waiting";
  waiting = waiting.then(() => {
    const fresh = form.isConnected ? form : document.querySelector("[data-pay]");
    const button = [...(fresh?.querySelectorAll("button") ?? [])].find(({ value }) => value === submitter?.value);
    form.dataset.pay = "";
    if (button && !button.disabled) fresh.requestSubmit(button);
  });
});
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

// The upgrades of one item, in place.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-part]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const [path, row] = link.href.split("#");
  waiting = waiting.then(async () => {
    await htmx.ajax("GET", path, { source: "#goods", target: "#goods", select: "#goods", swap: "outerHTML" }).catch(() => {});
    history.replaceState(null, "", path);
    document.getElementById(row)?.querySelector("a[data-part]")?.focus({ preventScroll: true });
  });
});

// The page stays where it was: while its main part is replaced, the foot would come up.
let height = 0;
document.addEventListener("htmx:beforeSwap", () => { height = scrollY; });
for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) {
  document.addEventListener(moment, () => scrollTo({ top: height, behavior: "instant" }));
}

// A refusal (409) is shown like any other answer.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status !== 409) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

// Whatever is no answer of ours, as the sign-in page after a long night, is better seen than guessed at.
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status && !xhr.responseText.includes('id="market"')) location.reload();
});
