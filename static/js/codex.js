// The search of the rules as a combobox: the arrow keys go through the hits while the cursor stays in the field.
// Without this file it is a search field with links below it, and the tab key goes through those.
const field = document.getElementById("q");
const box = document.getElementById("hits");
let at = -1;

const hits = () => [...box.querySelectorAll(".hits a")];

const mark = (place) => {
  at = place;
  hits().forEach((hit, number) => hit.setAttribute("aria-selected", String(number === at)));
  const chosen = hits()[at];
  if (!chosen) return field.removeAttribute("aria-activedescendant");
  field.setAttribute("aria-activedescendant", chosen.id);
  chosen.scrollIntoView({ block: "nearest" });
};

const prepare = () => {
  const list = box.querySelector(".hits");
  if (list) {
    list.id = "hit-list";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", field.getAttribute("aria-label"));
    for (const row of list.children) row.setAttribute("role", "presentation");
    hits().forEach((hit, number) => {
      hit.id = `hit-${number}`;
      hit.setAttribute("role", "option");
    });
    field.setAttribute("aria-controls", list.id);
  } else field.removeAttribute("aria-controls");
  field.setAttribute("aria-expanded", String(Boolean(list)));
  mark(-1);
};

// Past either end one is in the field again, with nothing chosen.
const moved = (by) => {
  const places = hits().length + 1;
  return ((at + 1 + by + places) % places) - 1;
};

field.addEventListener("keydown", (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const chosen = hits()[at];
  if (event.key === "ArrowDown" && hits().length) mark(moved(1));
  else if (event.key === "ArrowUp" && hits().length) mark(moved(-1));
  else if (event.key === "Enter" && chosen) chosen.click();
  else if (event.key === "Escape" && chosen) mark(-1);
  else return;
  event.preventDefault();
});

field.setAttribute("role", "combobox");
field.setAttribute("aria-autocomplete", "list");
prepare();
document.addEventListener("htmx:afterSwap", ({ target }) => { if (target === box) prepare(); });
