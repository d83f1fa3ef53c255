// Addresses: each shows one view, links inside the page show theirs without loading it again, Back shows what was seen.
import { $ } from "./dom.js";

const SITE = "Registros políticos oficiais";
const views = [];
let current = null;

// `show(match, parameters, kept)` fills the view; `kept` is what was stored with the address, null at first sight.
export function view(name, pattern, show = () => {}) { views.push({ name, pattern, show }); }

export function title(text) { document.title = text ? `${text} · ${SITE}` : SITE; }

export function go(address, kept = null) {
  history.pushState(kept, "", address);
  render();
  $(`h-${current}`).focus();
}

export function start() {
  document.addEventListener("click", (event) => {
    const anchor = event.target.closest?.("a[href]");
    const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!anchor || !plain || anchor.target || anchor.hasAttribute("download") || anchor.origin !== location.origin) return;
    const known = views.some(({ pattern }) => pattern.test(anchor.pathname));
    if (!known || anchor.getAttribute("href").startsWith("#")) return;
    event.preventDefault();
    if ($("passage").open) $("passage").close();
    go(anchor.pathname + anchor.search);
  });
  addEventListener("popstate", render);
  render();
}

function render() {
  const found = views.find(({ pattern }) => pattern.test(location.pathname)) || { name: "nada", pattern: /^/, show: () => {} };
  current = found.name;
  for (const section of document.querySelectorAll("[id^=view-]")) section.hidden = section.id !== `view-${current}`;
  for (const item of document.querySelectorAll("[data-view]")) {
    if (item.dataset.view === current) item.setAttribute("aria-current", "page"); else item.removeAttribute("aria-current");
  }
  title(current === "perguntar" ? "" : $(`h-${current}`).textContent);
  found.show(location.pathname.match(found.pattern), new URLSearchParams(location.search), history.state);
}
