/* Recomputes every roll of a battle from its seed, here in the browser: no word of the server's is believed. */

const FAIR = 252;
const text = new TextEncoder();

const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function face(key, name, index) {
  const digest = new Uint8Array(await crypto.subtle.sign("HMAC", key, text.encode(`${name}|${index}`)));
  const fair = digest.find((byte) => byte < FAIR);
  return fair === undefined ? face(key, `${name}|${index}`, 0) : (fair % 6) + 1;
}

function rerollsOf(line) {
  return (line.dataset.rerolls ?? "").split(" ").filter(Boolean).map((one) => one.split(":").map(Number));
}

async function fits(key, line) {
  const shown = line.dataset.faces.split(" ").map(Number);
  const rerolls = rerollsOf(line);
  const expected = await Promise.all(shown.map((_, index) => face(key, line.dataset.key, index)));
  for (const [place, [die, was]] of rerolls.entries()) {
    if (expected[die] !== was) return false;
    expected[die] = await face(key, line.dataset.key, shown.length + place);
  }
  return expected.every((value, index) => value === shown[index]);
}

function mark(line, good) {
  const tag = line.querySelector("[data-verdict]");
  tag.className = good ? "tag gain" : "tag loss";
  tag.textContent = good ? tag.dataset.good : tag.dataset.bad;
}

async function check(page) {
  const seed = text.encode(page.dataset.seed);
  const sealed = hex(await crypto.subtle.digest("SHA-256", seed)) === page.dataset.commitment;
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const lines = [...page.querySelectorAll("[data-key]")];
  const found = await Promise.all(lines.map((line) => fits(key, line)));
  lines.forEach((line, place) => mark(line, found[place]));
  return { sealed, good: found.filter(Boolean).length, all: found.length };
}

function say(page, { sealed, good, all }) {
  const { dataset } = page;
  const true_ = sealed && good === all;
  const words = (sealed ? dataset.sealed : dataset.unsealed) + " " + dataset.count.replace("{good}", good).replace("{all}", all);
  const here = document.getElementById("proof-here");
  here.querySelector("p").textContent = words;
  here.classList.toggle("problem", !true_);
  here.classList.toggle("note", true_);
}

const page = document.getElementById("proof");
if (page?.dataset.seed) {
  if (globalThis.crypto?.subtle) say(page, await check(page));
  else document.querySelector("#proof-here p").textContent = page.dataset.cannot;
}
