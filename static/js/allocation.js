// Equipment. Without this file each press loads the page again; here it stays where it is, and things can be dragged.

const PAGE = "#allocation";
let waiting = Promise.resolve();
const ask = (verb, path, values) => {
  waiting = waiting.then(async () => {
    if (verb === "POST") values.set("version", document.querySelector("[name=version]").value);
    await htmx.ajax(verb, path, { source: PAGE, target: PAGE, select: PAGE, swap: "outerHTML", values }).catch(() => {});
  });
};

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-choose]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  ask("GET", link.getAttribute("href").split("#")[0]);
});
document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (!form.matches("[data-move]")) return;
  event.preventDefault();
  ask("POST", form.action, new FormData(form, submitter));
});

// The page stays where it was: while its main part is replaced, the foot would come up.
let height = 0;
document.addEventListener("htmx:beforeSwap", () => { height = scrollY; });
for (const moment of ["htmx:afterSwap", "htmx:afterSettle"]) {
  document.addEventListener(moment, () => scrollTo({ top: height, behavior: "instant" }));
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // A refusal (409) is shown like any other answer.
  if (detail.xhr.status !== 409) return;
  detail.shouldSwap = true;
  detail.isError = false;
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr.status && !xhr.responseText.includes('id="allocation"')) location.reload();
});

// Dragging asks the server for the same page that a press would open, and reads from it who may take the thing.
let offered;
document.addEventListener("dragstart", async (event) => {
  const link = event.target.closest?.("[data-choose][draggable]");
  if (!link) return;
  event.dataTransfer.effectAllowed = "move";
  event.dataTransfer.setData("text/plain", link.textContent.trim());
  offered = undefined;
  const answer = await fetch(link.getAttribute("href").split("#")[0]);
  offered = new DOMParser().parseFromString(await answer.text(), "text/html");
  for (const holder of document.querySelectorAll("[data-holder]")) {
    const there = offered.getElementById(holder.id);
    holder.classList.toggle("open", Boolean(there?.classList.contains("open")));
    holder.classList.toggle("shut", Boolean(there?.classList.contains("shut")));
  }
});
const taker = ({ target }) => {
  const holder = target.closest?.("[data-holder].open");
  return holder && offered ? holder : null;
};
document.addEventListener("dragover", (event) => {
  const holder = taker(event);
  for (const other of document.querySelectorAll("[data-holder].over")) other.classList.toggle("over", other === holder);
  if (!holder) return;
  event.preventDefault();
  holder.classList.add("over");
});
document.addEventListener("drop", (event) => {
  const form = taker(event) && offered.getElementById(taker(event).id)?.querySelector("form");
  if (!form) return;
  event.preventDefault();
  ask("POST", form.getAttribute("action"), new FormData(form, form.querySelector("button")));
});
document.addEventListener("dragend", () => {
  offered = undefined;
  for (const holder of document.querySelectorAll("[data-holder]")) holder.classList.remove("open", "shut", "over");
});
