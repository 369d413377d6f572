// <a href="/the/page/that/asks" data-opens="id">: without this file the link leads to that page.
document.addEventListener("click", (event) => {
  const opener = event.target.closest?.("[data-opens]");
  const dialog = opener && document.getElementById(opener.dataset.opens);
  if (!dialog) return;
  event.preventDefault();
  dialog.showModal();
});

// A press beside the box closes it, like Escape.
document.addEventListener("click", ({ target }) => {
  if (target.matches?.("dialog[open]:not([data-stays])")) target.close();
});
