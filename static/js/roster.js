// A button that prints the page, and one that takes an address along.
document.addEventListener("click", async ({ target }) => {
  if (target.closest?.("[data-print]")) window.print();
  const copier = target.closest?.("[data-copy]");
  if (!copier) return;
  const field = document.getElementById(copier.dataset.copy);
  field.select();
  await navigator.clipboard?.writeText(field.value);
  copier.textContent = copier.dataset.done;
});

// On paper every fighter is open, in browsers that cannot be told so by a style sheet.
addEventListener("beforeprint", () => {
  for (const fighter of document.querySelectorAll("details.fighter")) fighter.open = true;
});
