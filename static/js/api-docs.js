// Starts the reader of the API's description that the page brought: Swagger UI or Redoc. Both are served from here.

const place = document.querySelector("[data-schema]");

// Redoc shows a picture from its maker's host. Nothing is fetched from elsewhere, so it is never asked for.
const source = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
const setAttribute = Element.prototype.setAttribute;
const isOurs = (value) => String(value).startsWith("data:") || new URL(value, location.href).origin === location.origin;
HTMLImageElement.prototype.setAttribute = function (name, value) {
  if (name !== "src" || isOurs(value)) setAttribute.call(this, name, value);
};
Object.defineProperty(HTMLImageElement.prototype, "src", {
  ...source,
  set(value) {
    if (isOurs(value)) source.set.call(this, value);
  },
});

if (place?.dataset.reader === "swagger") {
  window.SwaggerUIBundle({
    url: place.dataset.schema,
    domNode: place,
    deepLinking: true,
    validatorUrl: null,
    docExpansion: "list",
    defaultModelsExpandDepth: -1,
    filter: true,
    persistAuthorization: false,
    presets: [window.SwaggerUIBundle.presets.apis],
  });
}

if (place?.dataset.reader === "redoc") {
  const schema = await (await fetch(place.dataset.schema)).json();
  const areas = schema.tags.map((tag) => tag.name);
  const wanted = new URLSearchParams(location.search).get("area");
  const area = areas.includes(wanted) ? wanted : areas[0];
  showAreas(areas, area);
  // Examples of everything, ten levels deep, would take a browser minutes to write.
  const options = {
    generatedPayloadSamplesMaxDepth: 2,
    generatedSamplesMaxDepth: 2,
    jsonSampleExpandLevel: 1,
    maxDisplayedEnumValues: 10,
    disableSearch: true,
    nativeScrollbars: true,
    theme: { typography: { fontFamily: "inherit", headings: { fontFamily: "inherit" } } },
  };
  window.Redoc.init(withoutWideUnions(onlyOf(schema, area)), options, place);
}

// Redoc writes the whole description at once, which takes minutes for all of it: so one area at a time.
function onlyOf(schema, area) {
  const paths = Object.entries(schema.paths).flatMap(([path, calls]) => {
    const kept = Object.entries(calls).filter(([, call]) => !call.tags || call.tags.includes(area));
    return kept.some(([, call]) => call.tags) ? [[path, Object.fromEntries(kept)]] : [];
  });
  return { ...schema, tags: schema.tags.filter((tag) => tag.name === area), paths: Object.fromEntries(paths) };
}

// A thing that is one of many, each of which holds such things again, has more ways than Redoc can write. They are named.
function withoutWideUnions(value) {
  if (Array.isArray(value)) return value.map(withoutWideUnions);
  if (value === null || typeof value !== "object") return value;
  const ways = value.anyOf ?? value.oneOf ?? [];
  if (ways.length > 4 && ways.some((way) => way.$ref)) {
    const names = ways.map((way) => way.$ref?.split("/").pop() ?? way.type).join(", ");
    return { type: "object", description: `${value.description ?? ""} One of: ${names}.`.trim() };
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutWideUnions(inner)]));
}

function showAreas(areas, current) {
  const nav = document.querySelector("[data-areas]");
  for (const area of areas) {
    const link = document.createElement("a");
    link.href = `?area=${encodeURIComponent(area)}`;
    link.textContent = area;
    if (area === current) link.setAttribute("aria-current", "page");
    nav.append(link);
  }
}
