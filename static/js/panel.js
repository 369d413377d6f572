// Before the first paint: the panel wears the theme that was chosen on the site, and hands back what is chosen here.
{
  const SITE = "theme";
  const PANEL = "adminTheme";
  const CHOSEN = ["light", "dark"];

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = (() => {
    try {
      const site = localStorage.getItem(SITE);
      const theme = CHOSEN.includes(site) ? site : "auto";
      localStorage.setItem(PANEL, JSON.stringify(theme));
      return theme;
    } catch {
      return "auto";
    }
  })();

  if (chosen === "dark" || (chosen === "auto" && dark.matches)) document.documentElement.classList.add("dark");

  addEventListener("pagehide", () => {
    try {
      const theme = JSON.parse(localStorage.getItem(PANEL) ?? '"auto"');
      localStorage.setItem(SITE, CHOSEN.includes(theme) ? theme : "system");
    } catch {
      // Private windows may refuse: the choice then lasts until the page is left.
    }
  });
}
