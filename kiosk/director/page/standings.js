// The standing over all tables and rounds, by the book: what decided ties, between whom the lot must decide.

import { ask, form, toast } from "./actions.js";
import { loader } from "./loaded.js";
import { state } from "./live.js";
import { repeat } from "./lit/directives/repeat.js";
import { html, sectionText, timeText } from "./text.js";
import { current, failure, list, say, t } from "./words.js";

const path = () => `/api/${encodeURIComponent(state.tournament)}`;
let after = null; // the round after which the standing is shown; null: as it is now
const { held, refresh } = loader(() => state.tournament && `${path()}/standings.json${after ? `?after=${after}` : ""}`);
export const choose = round => { after = round || null; };
export { refresh };

const word = key => say("ranking", key);
const file = kind => `${path()}/standings.${kind}?language=${current()}${after ? `&after=${after}` : ""}`;
const tab = (round, text) => html`<a href="#/standings${round ? `/${round}` : ""}" class="${round === after ? "here" : ""}" aria-current="${round === after ? "page" : "false"}">${text}</a>`;
// The standing as it was after each round that was followed by another one.
function tabsHtml(rounds) {
  if (!after && rounds.length === 1) return "";
  const last = Math.max(...rounds, after ?? 0, ...(state.me.tournaments[state.tournament] ?? []));
  return html`<nav class="years" aria-label="${t("standings")}">${Array.from({ length: last - 1 }, (_, i) => tab(i + 1, say("ranking", "after_round", { n: i + 1 })))}${tab(null, say("ranking", "as_now"))}</nav>`;
}

export function standingsHtml() {
  const data = held.data;
  if (!data?.places.length) return html`<section class="blank"><h1>${t("standings")}</h1><p>${t("no_standings")}</p></section>`;
  const day = data.trophies.includes("day");
  return html`${tabsHtml(data.rounds)}<section class="panel standings"><h1>${word(day ? "day" : "standing")}${data.final ? "" : html` <span class="tag">${word("provisional")}</span>`}
      ${data.section ? html`<small>${sectionText(data.section)}</small>` : ""}</h1>
    <div class="scroll" tabindex="0" role="group" aria-label="${t("standings")}"><table class="list"><thead><tr><th class="n">${word("place")}</th><th class="k">${word("name")}</th>
      ${data.rounds.map(round => html`<th class="p">${word("round")} ${round}</th>`)}<th class="p">${word("points")}</th>
      ${data.columns.map(name => html`<th class="p tie">${word(name)}</th>`)}</tr></thead>
    <tbody>${repeat(data.places, one => one.name, one => rowHtml(data, one, day))}</tbody></table></div>
    ${notes(data)}${data.to_draw.map((names, i) => lotHtml(data, names, i))}
    ${data.draws.length ? html`<div class="lots note">${data.draws.map(drawHtml)}${data.draws.some(one => one.seed) ? html`<p>${say("ranking", "lot_check")}</p>` : ""}</div>` : ""}
    <p class="take">${t("take")}: <a href="${file("pdf")}">${t("as_pdf")}</a><a href="${file("txt")}">${t("as_text")}</a><a href="${file("csv")}">${t("as_csv")}</a>
    <a href="/api/${encodeURIComponent(state.tournament)}/tables.csv?language=${current()}">${say("page_pace", "tables_file")}</a></p></section>`;
}

function rowHtml(data, one, day) {
  const value = name => !one.decided.includes(name) ? "" : name === "lot" ? one.lot : one.values[name];
  const first = one.place === 1 && day && data.final;
  return html`<tr class="${one.out ? "out" : ""}" data-name="${one.name}"><th class="n">${one.place ?? "–"}</th>
    <td class="k">${one.name} ${first ? html`<span class="pokal" title="${word("pokal")}">★ ${word("pokal")}</span>` : ""}${one.needs_lot ? html`<span class="tag">${word("lot")}</span>` : ""}
      ${one.final && !data.final ? html`<span class="mark signed" title="${t("closed")}">✓</span>` : ""}${one.out ? html`<br><span class="small">${word(one.out)}</span>` : ""}</td>
    ${data.rounds.map(round => html`<td class="p">${(one.tables[round] ?? []).map((table, i) => html`<a href="#/${round}/${table}" title="${t("table")} ${table}">${i ? "·" : one.rounds[round]}</a>`)}</td>`)}
    <td class="p sum">${one.points}</td>${data.columns.map(name => html`<td class="p tie">${value(name)}</td>`)}</tr>`;
}

function notes(data) {
  const said = [];
  if (!data.final) {
    const lists = data.not_closed.map(one => `${word("round")} ${one.round} ${word("table")} ${one.table}`).join(", ");
    said.push(`${word("provisional")}: ${lists ? `${word("not_closed")}: ${lists}` : word("rounds_left")}.`);
  }
  if (data.corrected) said.push(correctedText(data.corrected));
  for (const one of data.other_books) said.push(t("other_book", { round: one.round, table: one.table, rules: one.rules }));
  if (!data.section) said.push(word(data.lot ? "silent_lot" : "silent"));
  else if (!data.lot) said.push(word("shared"));
  return said.map(text => html`<p class="note">${text}</p>`);
}

// A standing that was final and was put right: when, which lists, and whose places, and so prizes, are others now.
function correctedText({ at, lists, places }) {
  const where = lists.map(one => `${word("round")} ${one.round} ${word("table")} ${one.table}`).join(", ");
  const moved = places.map(one => say("ranking", "moved", { name: one.name, now: one.now ?? "–", before: one.before ?? "–" })).join(", ");
  return `${say("ranking", "corrected", { when: timeText(at), lists: where })} ${moved ? say("ranking", "places_moved", { places: moved }) : word("places_stay")}`;
}

const mayDraw = () => state.me.director && held.data?.final;

function lotHtml(data, names, i) {
  return html`<div class="lot"><p><b>${word("lot_needed")} ${names.join(", ")}.</b></p>
    ${!state.me.director ? "" : data.final ? html`<div class="buttons"><button data-do="drawLot" data-lot="${i}" class="main">${t("draw_lot")}</button>
      <button data-do="noteLot" data-lot="${i}">${t("note_lot")}</button></div>` : html`<p class="note">${t("lot_later")}</p>`}</div>`;
}

function drawHtml(one) {
  return html`<p><b>${say("ranking", "lot_of", { when: timeText(one.at) })}:</b> ${one.order.join(", ")} (${one.seed ? say("ranking", "seed", { seed: one.seed }) : say("ranking", "by_hand")})</p>`;
}

async function send(names, order) {
  try {
    const drawn = await ask("POST", `${path()}/lot`, order ? { names, order } : { names });
    toast(t("lot_done", { names: list(drawn.order) }));
  } catch (error) {
    toast(failure(error), true);
  }
  refresh(true);
}

export async function drawLot(element) {
  const names = held.data.to_draw[Number(element.dataset.lot)];
  if (!mayDraw() || !names) return;
  const yes = await form(html`<h2>${t("ask_lot")}</h2><p>${names.join(", ")}</p><p>${t("ask_lot_more")}</p>`, t("draw_lot"));
  if (yes) await send(names, null);
}

export async function noteLot(element) {
  const names = held.data.to_draw[Number(element.dataset.lot)];
  if (!mayDraw() || !names) return;
  const data = await form(html`<h2>${t("note_lot")}</h2><p>${t("note_lot_more")}</p>
    ${names.map((_, i) => html`<label>${i + 1}.<select name="place${i}">${names.map((name, j) => html`<option ?selected=${i === j}>${name}</option>`)}</select></label>`)}`, t("note_lot"));
  if (data) await send(names, names.map((_, i) => data.get(`place${i}`)));
}
