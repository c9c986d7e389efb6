// Lists on paper: typed in by rows, with the book's arithmetic told by the service at each, or just the result.

import { ask, form, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { keyed } from "./lit/directives/keyed.js";
import { may, state } from "./live.js";
import { loader } from "./loaded.js";
import { aloneInputs, aloneOf, l, listPath, seenForm, undoButton } from "./mending.js";
import { refusal, sendTo } from "./office.js";
import { html } from "./text.js";
import { current, t } from "./words.js";

const mayType = () => may("order") || may("enter");
const shown = () => state.cards.get(state.table);
const typing = card => card && mayType() && card.paper && !card.closed;

// The game whose row is typed, 0 is the next one; with "before" it is put in before the one that has this number.
let game = 0, before = false, cumulated = null, said = null, timer = null, asked = 0;
const told = loader(() => typing(shown()) ? `${listPath(state.table)}/mending` : "");
let noted = "", place = "";
let from = null; // how many notes of the list were seen when somebody began to type the row

// Asks again when something was noted of the tournament, not with each card that changes.
export function refreshPaper() {
  const wanted = `${state.noted} ${state.round} ${state.table} ${typing(shown())}`;
  if (wanted === noted) return;
  noted = wanted;
  const here = `${state.tournament} ${state.round} ${state.table}`;
  if (here !== place) [place, game, before, cumulated, said, told.held.data, from] = [here, 0, false, null, null, null, null];
  told.refresh(true);
}

const wish = () => {
  const form = document.getElementById("paper-form"), data = new FormData(form);
  const list = told.held.data;
  const points = Object.fromEntries(list.players.map((_, i) => [i + 1, Number(data.get(`score${i + 1}`))]));
  // Which game is what the form shows: another one may be next by now, while a button was pressed.
  const chosen = Number(data.get("game")), at = Math.abs(chosen), dealer = Number(data.get("dealer"));
  return { note: "paper_row", game: at, ...(chosen < 0 ? { insert: true } : {}), ...(dealer === dueAt(list, at) ? {} : { dealer }), [data.get("as") ? "totals" : "score"]: points, ...aloneOf(data), seen: Number(form.dataset.seen) };
};
// Who is due to deal is not said: should a game be put in before, the turn moves on.
const dueAt = (list, at) => list.rows.find(row => row.game === at)?.due ?? list.next.dealer;
const isCumulated = list => cumulated ?? list.cumulated;

function saidHtml(list, at) {
  if (said?.game !== (before ? -at : at)) return html`<p class="quiet" id="paper-said" aria-live="polite"></p>`;
  if (said.error) return html`<p class="warn" id="paper-said" aria-live="polite">${said.error}</p>`;
  return html`<div id="paper-said" aria-live="polite"><p>${l("comes_to", { points: list.players.map((name, i) => `${name} ${said.score[i + 1]}`).join(", "), sum: said.sum })}</p>
    ${said.doubts[current()].map(text => html`<p class="warn">${text}</p>`)}</div>`;
}

export function paperHtml(card) {
  if (!mayType() || card.closed) return "";
  if (!card.paper) {
    if (card.connected || card.phase === "over") return "";
    return html`<div class="panel"><h2>${l("paper")}</h2><p class="quiet">${card.phase === "empty" ? l("paper_why") : l("paper_goes_on")}</p>
      <div class="buttons"><button data-do="keepOnPaper" data-table="${card.table}">${l("keep_on_paper")}</button></div></div>`;
  }
  const list = told.held.data;
  if (!list) return html`<div class="panel"><h2>${l("paper")}</h2><p class="quiet">${told.held.failed}</p></div>`;
  const at = list.rows.some(row => row.game === game) ? game : list.next.game;
  const row = before ? undefined : list.rows.find(one => one.game === at);
  return html`<div class="panel" id="paper"><h2>${l("paper")}</h2>
    ${list.result ? "" : html`<form id="paper-form" data-do="paperForm" data-seen="${from ?? list.seen}">
      <div class="scores"><label>${t("game")}<select name="game" data-do="paperGame">${[list.next.game, ...list.typed].map(one => html`<option value="${one}" ?selected=${one === at && !before}>${one}</option>`)}
        ${list.rows.map(one => html`<option value="-${one.game}" ?selected=${one.game === at && before}>${l("before_game", { game: one.game })}</option>`)}</select></label>
      <label>${l("points_as")}<select name="as" data-do="paperAs"><option value="1" ?selected=${isCumulated(list)}>${l("as_totals")}</option><option value="" ?selected=${!isCumulated(list)}>${l("as_points")}</option></select></label></div>
      ${keyed(`${place} ${at} ${before} ${isCumulated(list)}`, html`<div class="scores">${list.players.map((name, i) => html`<label>${name}
        <input name="score${i + 1}" type="number" step="1" inputmode="numeric" required value="${row && !isCumulated(list) ? row.score[i + 1] : ""}"></label>`)}</div>
      <div class="scores"><label>${l("dealer")}<select name="dealer">${list.players.map((name, i) => html`<option value="${i + 1}" ?selected=${(row?.dealer ?? dueAt(list, at)) === i + 1}>${name}</option>`)}</select></label>
      ${aloneInputs(list, row)}</div>`)}
      ${saidHtml(list, at)}
      <div class="buttons"><button class="main">${row ? l("type_again") : l("type")}</button></div></form>`}
    <div class="buttons">${list.last !== null && (list.typed.length || list.result) ? undoButton(list.last, l("last_typed")) : ""}
      ${list.rows.length || list.result ? "" : html`<button data-do="paperResult" data-table="${card.table}">${l("result_only")}</button>`}
      ${list.rows.length || list.result ? html`<button data-do="paperClose" data-table="${card.table}">${l("close")}</button>` : ""}</div></div>`;
}

// Whatever was asked about a row is not waited for any more.
function forget() {
  clearTimeout(timer);
  return ++asked;
}

// A moment after the last key the service says what the row comes to.
function check() {
  const mine = forget();  // an answer to what stood there before is old
  const fields = document.getElementById("paper-form");
  if (!fields?.checkValidity()) return;
  timer = setTimeout(async () => {
    const row = wish();
    const told = await ask("POST", `${listPath(state.table)}/paper`, { ...row, check: true }).catch(error => ({ error: refusal(error) }));
    if (mine !== asked) return;
    said = { ...told, game: row.insert ? -row.game : row.game };
    redraw();
  }, 250);
}

export function paperChange(event) {
  if (!event.target.closest("#paper-form")) return;
  const { name, value } = event.target, form = document.getElementById("paper-form");
  if (["game", "as"].includes(name)) [from] = [null, forget()];
  else if (from === null) { // the row stays the one that is typed, whatever another types meanwhile
    const chosen = Number(form.elements.game.value);
    [from, game, before] = [Number(form.dataset.seen), Math.abs(chosen), chosen < 0];
  }
  if (name === "game") { [game, before, said] = [Math.abs(Number(value)), Number(value) < 0, null]; redraw(); }
  else if (name === "as") { cumulated = Boolean(value); said = null; redraw(); }
  else check();
}

export async function paperSubmit(event) {
  if (event.target.id !== "paper-form") return;
  event.preventDefault();
  forget();
  const done = await sendTo(`${listPath(state.table)}/paper`, wish(), l("typed"));
  from = null; // who was told that another was faster may press again: the list is shown as it stands
  if (!done) return redraw();
  [game, before, said, noted] = [0, false, null, ""];
  await new Promise(shownAgain => { setTimeout(shownAgain, 400); });
  const fields = [...document.querySelectorAll("#paper-form input")];
  if (fields.every(one => !one.value)) fields[0]?.focus(); // who types already is not taken back to the first field
}

const paperNote = (card, body, done) => sendTo(`${listPath(card.table)}/paper`, body, done);

export const keepOnPaper = card => paperNote(card, { note: "paper" });

export async function paperResult(card) {
  const list = told.held.data;
  await seenForm(html`<h2>${l("result_only")}</h2><p>${l("result_why")}</p>
    <div class="scores">${list.players.map((name, i) => html`<label>${name}<input name="score${i + 1}" type="number" step="1" inputmode="numeric" required></label>`)}</div>`, l("type"), card.table, list,
    data => ["paper", { note: "paper_result", score: Object.fromEntries(list.players.map((_, i) => [i + 1, Number(data.get(`score${i + 1}`))])) }], l("typed"));
}

export async function paperClose(card) {
  const list = await ask("GET", `${listPath(card.table)}/mending`).catch(error => toast(refusal(error), true));
  if (!list) return;
  const yes = await form(html`<h2>${l("close_ask", { table: card.table })}</h2><p>${l("close_why")}</p>`, l("close"));
  if (yes) await paperNote(card, { note: "list_closed", seen: list.seen }, l("closed_now"));
}
