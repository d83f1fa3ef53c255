// Start of the page: views, general notices, a stored answer when the address names one.
import { $, day, el, notice } from "./dom.js";
import { get } from "./api.js";
import { setUpAsk, showStored } from "./ask.js";
import { setUpProfile } from "./profile.js";
import { setUpCompare } from "./compare.js";
import { setUpDialog } from "./passage.js";

const VIEWS = ["perguntar", "candidatura", "comparar", "sobre"];

function showView() {
  const wanted = location.hash.slice(1);
  const view = VIEWS.includes(wanted) ? wanted : "perguntar";
  for (const name of VIEWS) $(`view-${name}`).hidden = name !== view;
  for (const item of document.querySelectorAll("[data-view]")) {
    if (item.dataset.view === view) item.setAttribute("aria-current", "page"); else item.removeAttribute("aria-current");
  }
  if (view === "sobre") showRuns();
}

async function showRuns() {
  const { items } = await get("runs", { limit: 10 });
  const row = (run) => el("tr", {}, ...[day(run.started_at), run.source, run.partition, run.status, String(run.records_read)].map((cell) => el("td", {}, cell)));
  const head = el("tr", {}, ...["Início", "Etapa", "UF", "Situação", "Registros lidos"].map((name) => el("th", { scope: "col" }, name)));
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, ...items.map(row)));
  $("runs").replaceChildren(items.length ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Coletas recentes" }, table) : el("p", { class: "help" }, "Nenhuma coleta registrada."));
}

async function showHealth() {
  const health = await get("health");
  const notices = [];
  if (!health.generation) notices.push("Sem chave de modelo de linguagem: as respostas são extratos literais.");
  if (!health.vectors) notices.push("Sem vetores: a busca usa apenas palavras.");
  if (!health.lexical_ok) notices.push("O índice de palavras está sendo refeito; os resultados podem estar incompletos.");
  $("avisos-gerais").replaceChildren(...notices.map(notice));
}

setUpDialog();
setUpAsk();
setUpProfile();
setUpCompare();
addEventListener("hashchange", showView);
showView();
showHealth().catch((error) => $("avisos-gerais").replaceChildren(notice(error.message)));
const stored = location.pathname.match(/^\/respostas\/([0-9a-f-]{36})$/);
if (stored) showStored(stored[1]);
