// Start of the page: which address shows which view, and the general notices.
import { $, notice, problem } from "./dom.js";
import { get } from "./api.js";
import { setUpAsk, showThread } from "./ask.js";
import { setUpProfile, showProfile } from "./profile.js";
import { setUpCompare, showComparison } from "./compare.js";
import { setUpSearch, showSearch } from "./search.js";
import { showCoverage } from "./coverage.js";
import { showBill } from "./bill.js";
import { setUpDialog, showDocument } from "./source.js";
import { start, view } from "./router.js";

async function showHealth() {
  const health = await get("health");
  const notices = health.lexical_ok ? [] : ["O índice de palavras está sendo refeito; os resultados podem estar incompletos."];
  $("avisos-gerais").replaceChildren(...notices.map(notice));
}

setUpDialog();
setUpAsk();
setUpProfile();
setUpCompare();
setUpSearch();
view("perguntar", /^\/(?:(?:r|respostas)\/([0-9a-f-]{36}))?$/, showThread);
view("candidatura", /^\/candidatura(?:\/(\d{4})\/([0-9A-Za-z_-]{1,40}))?$/, showProfile);
view("comparar", /^\/comparar$/, showComparison);
view("proposicao", /^\/proposicao\/([A-Za-z]+)-(\d+)-(\d{4})$/, showBill);
view("documento", /^\/documento\/([0-9a-f]{64})$/, showDocument);
view("busca", /^\/busca$/, showSearch);
view("cobertura", /^\/cobertura$/, showCoverage);
view("sobre", /^\/sobre$/);
const section = location.hash.match(/^#(candidatura|comparar|sobre)$/); // addresses of earlier versions
if (section && location.pathname === "/") history.replaceState(null, "", `/${section[1]}`);
start();
showHealth().catch((error) => $("avisos-gerais").replaceChildren(problem(error)));
