// A plain script in the head, not a module: a chosen theme has to be set before the first paint.
{
  const KEY = "theme";
  const THEMES = ["light", "dark"];

  const remembered = () => {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null;
    }
  };

  const remember = (theme) => {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Private windows may refuse: the choice then lasts until the page is left.
    }
  };

  const show = (theme) => {
    if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    const choice = document.querySelector(`[name="theme"][value="${theme}"]`);
    if (choice) choice.checked = true;
  };

  show(remembered() ?? "system");
  document.addEventListener("DOMContentLoaded", () => show(remembered() ?? "system"));
  addEventListener("storage", (event) => event.key === KEY && show(event.newValue ?? "system"));
  document.addEventListener("change", ({ target }) => {
    if (target.name !== "theme") return;
    remember(target.value);
    show(target.value);
  });
}
