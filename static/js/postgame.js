// The walk through a post-game. Without this file every press loads the page anew; here only what changed is replaced.

// Nothing moved (304): leave everything as it is. A refusal (409) is a page like any other.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.xhr.status === 304) detail.shouldSwap = false;
  if (detail.xhr.status !== 409) return;
  detail.shouldSwap = true;
  detail.isError = false;
});

// What was open stays open while the others move; after a press, the focus goes to what is next.
let pressed = false;
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (detail.requestConfig.verb === "post") pressed = true;
});
document.addEventListener("htmx:afterSettle", () => {
  if (!pressed) return;
  pressed = false;
  if (document.querySelector("#walk [data-focus]")) return;
  const now = document.getElementById("now");
  now?.focus({ preventScroll: true });
  now?.scrollIntoView({ block: "nearest" });
});

// A press is one press: a second one while the first is under way does nothing.
document.addEventListener("htmx:confirm", (event) => {
  const form = event.detail.elt;
  if (form.matches?.("#walk form") && form.classList.contains("htmx-request")) event.preventDefault();
});

// Where somebody is typing dice, the page does not go on under their fingers.
document.addEventListener("htmx:beforeRequest", (event) => {
  const typing = document.querySelector("#walk .typing[open] input:checked, #walk .fate[open] input:checked");
  if (event.target.id === "walk" && event.detail.requestConfig.verb === "get" && typing) event.preventDefault();
});
