// The ranking of a year over its evenings, and which of them count.

import { ask, toast } from "./actions.js";
import { loader } from "./loaded.js";
import { state } from "./live.js";
import { html, sectionText } from "./text.js";
import { current, failure, locale, say, t } from "./words.js";

let year = null;
const all = loader(() => "/years.json", years => {
  if (year !== null || !years?.length) return;
  year = years.at(-1);
  one.refresh(true);
});
const one = loader(() => year && `/years/${year}.json`);

const word = key => say("ranking", key);
const date = (day, long) => new Date(`${day}T12:00`).toLocaleDateString(locale(), { day: "2-digit", month: "2-digit", ...(long ? { year: "numeric" } : {}) });
const file = kind => `/years/${year}.${kind}?language=${current()}`;

export function choose(number) {
  if (number) year = number;
}

export function refresh(now = false) {
  all.refresh(now);
  if (year !== null) one.refresh(now);
}

export function yearHtml() {
  const years = all.held.data ?? [];
  if (!years.length) return html`<section class="blank"><h1>${t("year")}</h1><p>${t("no_year")}</p></section>`;
  const tabs = html`<nav class="years" aria-label="${t("year")}">${years.map(number => html`<a href="#/year/${number}" class="${number === year ? "here" : ""}" aria-current="${number === year ? "page" : "false"}">${number}</a>`)}</nav>`;
  const data = one.held.data;
  if (!data) return tabs;
  const soon = data.final ? "" : ` (${word("provisional")})`;
  const winners = data.places.filter(person => person.place === 1).map(person => person.name).join(", ");
  return html`${tabs}<section class="columns"><div class="panel standings"><h1>${word("year")} ${data.year} <small>${sectionText(data.section)}</small></h1>
    <p class="note"><span class="pokal">★ ${word("pokal")} ${word("year")}</span> <b>${winners || "–"}</b>${soon}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="${t("year")}"><table class="list"><thead><tr><th class="n">${word("place")}</th><th class="k">${word("name")}</th>
      ${data.days.map(day => html`<th class="p">${date(day.day)}</th>`)}<th class="p">${word("points")}</th></tr></thead><tbody>
      ${data.places.map(person => html`<tr><th class="n">${person.place}</th><td class="k">${person.name}</td>
        ${data.days.map(day => html`<td class="p">${person.days[day.day] ?? ""}${day.first.includes(person.name) ? html` <span class="pokal">★</span>` : ""}</td>`)}<td class="p sum">${person.points}</td></tr>`)}</tbody></table></div>
    <p class="take">${t("take")}: <a href="${file("pdf")}">${t("as_pdf")}</a><a href="${file("txt")}">${t("as_text")}</a><a href="${file("csv")}">${t("as_csv")}</a></p></div>
    <div class="side"><div class="panel"><h2>${t("evenings")}</h2><ul class="debts">${data.tournaments.map(evening => html`<li class="${evening.counts ? "" : "quiet"}"><span><b>${evening.tournament}</b><br>${evening.days.map(day => date(day, true)).join(", ")}</span>
      <span>${evening.counts ? t("does_count") : t("does_not_count")}</span>
      ${state.me.director ? html`<button data-do="setCounts" data-tournament="${evening.tournament}" data-counts="${evening.counts ? "" : "1"}">${evening.counts ? t("leave_out") : t("take_in")}</button>` : ""}</li>`)}</ul></div></div></section>`;
}

export async function setCounts(element) {
  try {
    await ask("POST", `/api/${encodeURIComponent(element.dataset.tournament)}/counts`, { counts: Boolean(element.dataset.counts) });
  } catch (error) {
    toast(failure(error), true);
  }
  refresh(true);
}
