// The standings over all tables and rounds.

import { state } from "./live.js";
import { html } from "./text.js";
import { t } from "./words.js";

let table = [], asked = 0, timer = null;

// Loads them again, at most once a second while tables change.
export function refresh(changed) {
  if (timer) return;
  timer = setTimeout(async () => {
    timer = null;
    asked = performance.now();
    try {
      table = await (await fetch(`/api/${encodeURIComponent(state.tournament)}/standings.json`, { cache: "no-store" })).json();
      changed();
    } catch { /* the page says already that the service is away */ }
  }, Math.max(0, 1000 - (performance.now() - asked)));
}

export function standingsHtml() {
  if (!table.length) return html`<section class="blank"><p>${t("no_standings")}</p></section>`;
  const rounds = [...new Set(table.flatMap(entry => Object.keys(entry.rounds)))].map(Number).sort((a, b) => a - b);
  const final = table.every(entry => entry.final);
  return html`<section class="panel">${final ? "" : html`<p class="note">${t("provisional")}</p>`}<div class="scroll"><table class="list standings"><thead><tr><th class="n">${t("rank")}</th><th class="k">${t("name")}</th>
      ${rounds.map(round => html`<th class="p">${t("round")} ${round}</th>`)}<th class="p">${t("sum")}</th></tr></thead><tbody>
      ${table.map(entry => html`<tr><th class="n">${entry.rank}</th><td class="k">${entry.name} ${entry.final && !final ? html`<span class="mark signed">✓</span>` : ""}</td>
        ${rounds.map(round => html`<td class="p">${(entry.rounds[round] ?? []).map(part => html`<a href="#/${round}/${part.table}" title="${t("table")} ${part.table}">${part.total}</a> `)}</td>`)}
        <td class="p sum">${entry.sum}</td></tr>`)}</tbody></table></div>
    <p class="take">${t("take")}: <a href="/api/${encodeURIComponent(state.tournament)}/standings.csv?language=${document.documentElement.lang}">${t("as_csv")}</a></p></section>`;
}
