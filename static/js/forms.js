// Show or hide a password.
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-reveal]");
  if (!button) return;
  const input = document.getElementById(button.getAttribute("aria-controls"));
  input.type = input.type === "password" ? "text" : "password";
  for (const word of button.querySelectorAll("span:not(.vh)")) word.hidden = !word.hidden;
});

// A form that came back with problems says so at once.
const focusSummary = (part) => part.querySelector("[data-focus]:not(.specimens *)")?.focus();
focusSummary(document);
document.addEventListener("htmx:afterSwap", ({ target }) => focusSummary(target));
