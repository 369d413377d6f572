// A toast goes when it is dismissed, or when its own animation has run out (see feedback.css).
document.addEventListener("click", ({ target }) => {
  target.closest?.("[data-dismiss]")?.closest(".toast").remove();
});

document.addEventListener("animationend", ({ target, animationName }) => {
  if (animationName === "toast-leaves") target.remove();
});
