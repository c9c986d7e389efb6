// Series over evenings: which there are, everybody's place, the clubs', and to which one this evening belongs.

import { ask, toast } from "./actions.js";
import { loader } from "./loaded.js";
import { state } from "./live.js";
import { refusal } from "./office.js";
import { wholeForm } from "./overtaken.js";
import { html } from "./text.js";
import { current, list, say, t } from "./words.js";

let name = null;
const all = loader(() => "/series.json", names => {
  if (!names?.length || names.includes(name)) return;
  name = names.at(-1);
  one.refresh(true);
});
const one = loader(() => name && `/series/${encodeURIComponent(name)}.json`);

const w = code => say("ranking", code);
const file = kind => `/series/${encodeURIComponent(name)}.${kind}?language=${current()}`;

export function choose(chosen) {
  if (chosen) name = decodeURIComponent(chosen);
}

export function refresh(now = false) {
  all.refresh(now);
  if (name !== null) one.refresh(now);
}

const setButton = () => state.me.director ? html`<p class="row"><button data-do="setSeries">${say("page_series", "set")}</button></p>` : "";

function clubsHtml(data) {
  return !data.clubs.length ? "" : html`<div class="panel"><h2>${w("club")}</h2><table class="list"><tbody>${data.clubs.map(club => html`<tr><th class="n">${club.place}</th><td class="k">${club.club}</td><td class="p sum">${club.points}</td></tr>`)}</tbody></table></div>`;
}

export function seriesHtml() {
  const names = all.held.data ?? [];
  if (!names.length) return html`<section class="blank"><h1>${w("series")}</h1><p>${say("page_series", "none")}</p>${setButton()}</section>`;
  const tabs = html`<nav class="years" aria-label="${w("series")}">${names.map(each => html`<a href="#/series/${encodeURIComponent(each)}" class="${each === name ? "here" : ""}" aria-current="${each === name ? "page" : "false"}">${each}</a>`)}</nav>`;
  const data = one.held.data;
  if (!data) return tabs;
  const cell = (person, evening) => {
    const points = person.evenings[evening];
    return points === undefined ? "" : person.counting.includes(evening) ? points : html`<span class="quiet">(${points})</span>`;
  };
  return html`${tabs}<section class="columns"><div class="panel standings"><h1>${data.series}${data.final ? "" : html` <span class="tag">${w("provisional")}</span>`}</h1>
    <div class="scroll" tabindex="0" role="group" aria-label="${data.series}"><table class="list"><thead><tr><th class="n">${w("place")}</th><th class="k">${w("name")}</th><th class="k">${w("club")}</th>
      ${data.evenings.map(evening => html`<th class="p">${evening.tournament}</th>`)}<th class="p">${w("points")}</th></tr></thead><tbody>
      ${data.places.map(person => html`<tr><th class="n">${person.place}</th><td class="k">${person.name}</td><td class="k">${person.club}</td>
        ${data.evenings.map(evening => html`<td class="p">${cell(person, evening.tournament)}</td>`)}<td class="p sum">${person.points}</td></tr>`)}</tbody></table></div>
    <p class="note">${say("ranking", data.best ? "best_evenings" : "all_evenings", { n: data.best })}${data.clubs.length ? ` ${say("ranking", data.club_best ? "best_members" : "all_members", { n: data.club_best })}` : ""}</p>
    <p class="take">${t("take")}: <a href="${file("pdf")}">${t("as_pdf")}</a><a href="${file("txt")}">${t("as_text")}</a><a href="${file("csv")}">${t("as_csv")}</a></p>${setButton()}</div>
    <div class="side">${clubsHtml(data)}</div></section>`;
}

async function setSeries() {
  const address = `/api/${encodeURIComponent(state.tournament)}/series`, names = all.held.data ?? [];
  const shown = { name: name ?? "", best: one.held.data?.best ?? null, club_best: one.held.data?.club_best ?? null };
  let stored;
  const load = async () => { stored = await ask("GET", address); };
  try {
    await load();
  } catch (error) {
    toast(refusal(error), true);
    return;
  }
  await wholeForm({
    stored: () => ({ ...shown, ...(stored.name ? stored : { saved: stored.saved }) }), load,
    head: html`<h2>${say("page_series", "set_for", { name: state.tournament })}</h2><p>${say("page_series", "set_why")}</p>`,
    fields: each => html`<label>${w("series")}<input name="name" maxlength="40" autocomplete="off" list="all-series" value="${each.name}"></label><datalist id="all-series">${names.map(each => html`<option value="${each}"></option>`)}</datalist>
      <label>${say("page_series", "best")}<input name="best" type="number" inputmode="numeric" min="1" max="366" value="${each.best ?? ""}"></label>
      <label>${say("page_series", "club_best")}<input name="club_best" type="number" inputmode="numeric" min="1" max="366" value="${each.club_best ?? ""}"></label>`,
    yes: t("send"),
    send: async (data, over) => {
      const number = key => Number(data.get(key)) || null;
      const noted = await ask("POST", address, { name: data.get("name"), best: number("best"), club_best: number("club_best"), based_on: over.saved });
      name = noted.name || null;
      toast(say("page_series", noted.name ? "is_set" : "is_none", { name: list([noted.name]) }));
    },
  });
  refresh(true);
}

export const seriesButtons = { setSeries };
