// Start of the page: which address shows which view, and the general notices.
import { $, day, el, notice, problem } from "./dom.js";
import { get } from "./api.js";
import { setUpAsk, showThread } from "./ask.js";
import { setUpProfile, showProfile } from "./profile.js";
import { setUpCompare, showComparison } from "./compare.js";
import { showBill } from "./bill.js";
import { setUpDialog, showDocument } from "./source.js";
import { start, view } from "./router.js";

async function showRuns() {
  const { items } = await get("runs", { limit: 10 });
  const row = (run) => el("tr", {}, ...[day(run.started_at), run.source, run.partition, run.status, String(run.records_read)].map((cell) => el("td", {}, cell)));
  const head = el("tr", {}, ...["Início", "Etapa", "UF", "Situação", "Registros lidos"].map((name) => el("th", { scope: "col" }, name)));
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, ...items.map(row)));
  $("runs").replaceChildren(items.length ? el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Coletas recentes" }, table) : el("p", { class: "help" }, "Nenhuma coleta registrada."));
}

async function showHealth() {
  const health = await get("health");
  const notices = health.lexical_ok ? [] : ["O índice de palavras está sendo refeito; os resultados podem estar incompletos."];
  $("avisos-gerais").replaceChildren(...notices.map(notice));
}

setUpDialog();
setUpAsk();
setUpProfile();
setUpCompare();
view("perguntar", /^\/(?:(?:r|respostas)\/([0-9a-f-]{36}))?$/, showThread);
view("candidatura", /^\/candidatura(?:\/(\d{4})\/([0-9A-Za-z_-]{1,40}))?$/, showProfile);
view("comparar", /^\/comparar$/, showComparison);
view("proposicao", /^\/proposicao\/([A-Za-z]+)-(\d+)-(\d{4})$/, showBill);
view("documento", /^\/documento\/([0-9a-f]{64})$/, showDocument);
view("sobre", /^\/sobre$/, () => showRuns().catch((error) => $("runs").replaceChildren(problem(error))));
const section = location.hash.match(/^#(candidatura|comparar|sobre)$/); // addresses of earlier versions
if (section && location.pathname === "/") history.replaceState(null, "", `/${section[1]}`);
start();
showHealth().catch((error) => $("avisos-gerais").replaceChildren(problem(error)));
