// Lists put right by the direction: which thing, how it shall be, why; the footnotes, and taking them back.

import { ask, form, sendFile, toast } from "./actions.js";
import { isHeld, may, state } from "./live.js";
import { refusal, send, sendTo } from "./office.js";
import { html, sectionText, suitName } from "./text.js";
import { failure, say, t } from "./words.js";

export const l = (code, fill) => say("page_lists", code, fill);

const WHATS = ["points", "strike", "row", "penalty", "disqualified", "name", "seats", "reopen"];
const people = told => told.players.map((name, i) => html`<option value="${i + 1}">${name}</option>`);
const scoreInputs = (told, score = {}) => html`<div class="scores">${told.players.map((name, i) => html`<label>${name}
  <input name="score${i + 1}" type="number" step="1" inputmode="numeric" required value="${score[i + 1] ?? 0}"></label>`)}</div>`;
const scoreOf = (told, data) => Object.fromEntries(told.players.map((_, i) => [i + 1, Number(data.get(`score${i + 1}`))]));
const rowText = (told, row) => `${t("game")} ${row.game}: ${told.players.map((name, i) => `${name} ${row.score[i + 1]}`).join(", ")}`;
const rowSelect = (told, rows) => html`<label>${t("game")}<select name="game">${rows.map(row => html`<option value="${row.game}">${rowText(told, row)}</option>`)}</select></label>`;

// How somebody played alone, by what the book knows of it.
export const ways = told => told.duties ? ["duty", "lust", "still", "hochzeit"] : ["solo", "still", "hochzeit"];
const solos = told => told.kinds.flatMap(kind => kind.suits.length ? kind.suits.map(suit => [kind.game, suit]) : [[kind.game, ""]]);
const soloText = (told, [game, suit]) => suit ? `${say("games", game)} ${suitName(suit, told.bavarian)}` : say("games", game);
export const aloneInputs = (told, row = {}) => html`<label>${l("alone")}<select name="alone"><option value="">${l("nobody")}</option>${told.players.map((name, i) =>
    html`<option value="${i + 1}" ?selected=${row.alone === i + 1}>${name}</option>`)}</select></label>
  <label>${l("how")}<select name="how">${ways(told).map(way => html`<option value="${way}" ?selected=${row.how === way}>${l(`how_${way}`)}</option>`)}</select></label>
  <label>${l("solo")}<select name="solo">${solos(told).map(solo =>
    html`<option value="${solo.join(" ")}" ?selected=${row.kind === solo[0] && (row.suit ?? "") === solo[1]}>${soloText(told, solo)}</option>`)}</select></label>`;
// A stilles Solo and a Hochzeit alone are no declared solo: they name no game.
export function aloneOf(data) {
  if (!data.get("alone")) return {};
  const how = data.get("how"), [kind, suit] = data.get("solo").split(" ");
  return { alone: Number(data.get("alone")), how, ...(["still", "hochzeit"].includes(how) ? {} : { kind, ...(suit ? { suit } : {}) }) };
}

// Where a game may be added: behind the last one, or before any that is there.
const placesFor = told => [html`<option value="${told.next.game}">${l("at_end", { game: told.next.game })}</option>`,
  [...told.rows].reverse().map(row => html`<option value="${row.game}">${l("before_game", { game: row.game })}</option>`)];
const placeOf = (told, game) => game === told.next.game ? { game } : { game, insert: true };

// What can be put right on this list as it stands.
function offered(told) {
  const rows = told.rows.some(row => !row.struck);
  return WHATS.filter(what => ({ points: rows, strike: rows, reopen: told.closed, penalty: told.deduction_most > 0 })[what] ?? true);
}

// Fields of each thing, and what they come to.
const FIELDS = {
  points: told => told.rows.filter(row => !row.struck).length ? html`${rowSelect(told, told.rows.filter(row => !row.struck))}<p class="quiet">${l("points_why")}</p>${scoreInputs(told)}` : "",
  strike: told => html`${rowSelect(told, told.rows.filter(row => !row.struck))}<p class="quiet">${l("strike_why")}</p>`,
  row: told => html`<label>${l("where")}<select name="game">${placesFor(told)}</select></label>${scoreInputs(told)}${aloneInputs(told)}`,
  penalty: told => html`<label>${l("who")}<select name="seat">${people(told)}</select></label>
    <label>${l("deduction")}<input name="points" type="number" min="1" max="${told.deduction_most}" inputmode="numeric" required></label><p class="quiet">${l("penalty_why")}</p>`,
  disqualified: told => html`<label>${l("who")}<select name="seat">${people(told)}</select></label><p class="quiet">${l("disqualified_why")}</p>`,
  name: told => html`<label>${l("who")}<select name="seat">${people(told)}</select></label><label>${l("name_right")}<input name="name" maxlength="40" autocomplete="off" required></label>`,
  seats: told => html`${told.players.map((name, i) => html`<label>${l("seat", { seat: i + 1 })}<select name="place${i}">${told.players.map(one => html`<option ?selected=${one === name}>${one}</option>`)}</select></label>`)}`,
  reopen: () => html`<p>${l("reopen_why")}</p>`,
};
const WISHES = {
  points: (told, data) => ({ game: Number(data.get("game")), after: scoreOf(told, data) }),
  strike: (_told, data) => ({ game: Number(data.get("game")) }),
  row: (told, data) => ({ ...placeOf(told, Number(data.get("game"))), after: { score: scoreOf(told, data), ...aloneOf(data) } }),
  penalty: (_told, data) => ({ seat: Number(data.get("seat")), after: -Number(data.get("points")) }),
  disqualified: (_told, data) => ({ seat: Number(data.get("seat")) }),
  name: (_told, data) => ({ seat: Number(data.get("seat")), after: data.get("name").trim() }),
  seats: (told, data) => ({ after: told.players.map((_, i) => data.get(`place${i}`)) }),
  reopen: () => ({}),
};

export const listPath = table => `/api/${encodeURIComponent(state.tournament)}/${state.round}/${table}`;

// The points of the game that is chosen stand in the fields, to be changed.
function fillScores(told) {
  const dialog = document.getElementById("dialog"), select = dialog.querySelector("select[name=game]");
  const fill = () => {
    const row = told.rows.find(one => one.game === Number(select.value));
    told.players.forEach((_, i) => { dialog.querySelector(`input[name=score${i + 1}]`).value = row.score[i + 1]; });
  };
  select.onchange = fill;
  fill();
}

// A form on a list: who has not seen what another has just changed is told, sees the list as it stands, and may press again.
export const seenForm = (content, yes, table, told, wish, done) => form(content, yes, "", async data => {
  const [what, body] = wish(data, told);
  try {
    await ask("POST", `${listPath(table)}/${what}`, { ...body, seen: told.seen });
    toast(done);
    return null;
  } catch (error) {
    if (error.code !== "seen") return refusal(error);
    told = await ask("GET", `${listPath(table)}/mending`).catch(() => told);
    return html`<div class="overtaken"><p class="warn">${refusal(error)}</p><ul>${told.rows.map(row => html`<li>${rowText(told, row)}</li>`)}</ul><p>${l("press_again")}</p></div>`;
  }
});

export async function mend(card) {
  let told;
  try {
    told = await ask("GET", `${listPath(card.table)}/mending`);
  } catch (error) {
    toast(failure(error), true);
    return;
  }
  const whats = offered(told);
  const first = await form(html`<h2>${l("mend_for", { table: card.table })}</h2><p>${l("mend_why")}</p>
    <div class="choice column">${whats.map((what, i) => html`<label><input type="radio" name="what" value="${what}" ?checked=${i === 0}><span>${l(`what_${what}`)}</span></label>`)}</div>`, l("next"));
  if (!first) return;
  const what = first.get("what"), section = told.sections[what];
  const asked = seenForm(html`<h2>${l(`what_${what}`)}</h2>${FIELDS[what](told)}
    <label>${l("reason")}<input name="reason" maxlength="200" required autocomplete="off"></label>
    <label>${l("section")}<input name="section" maxlength="40" autocomplete="off" placeholder="${section ? sectionText(section) : ""}"></label>`, l("mend"), card.table, told,
    (data, told) => ["mend", { what, ...WISHES[what](told, data), reason: data.get("reason"), section: data.get("section") }], l("mended"));
  if (what === "points") fillScores(told);
  await asked;
}

export async function undoNote(element) {
  const number = Number(element.dataset.number);
  const data = await form(html`<h2>${l("undo_ask")}</h2><p>${element.dataset.what}</p><label>${l("reason")}<input name="why" maxlength="200" autocomplete="off"></label>`, l("undo"), "danger");
  if (data) await sendTo(`/api/${encodeURIComponent(state.tournament)}/undo`, { number, why: data.get("why") }, l("undone"));
}

export async function undoOrder(element) {
  const yes = await form(html`<h2>${l("undo_ask")}</h2><p>${element.dataset.what}</p><p class="quiet">${l("undo_order_why")}</p>`, l("undo"), "danger");
  if (yes) await send(`${element.dataset.round}/orders/${element.dataset.number}/undo`, {}, l("undone"));
}

export const undoButton = (number, what) => html`<button type="button" data-do="undoNote" data-number="${number}" data-what="${what}" class="undo" aria-label="${l("undo")}: ${what}">${l("undo")}</button>`;

// Photographs of a list on paper, and the field that takes another one; on a telephone it opens the camera.
export const photosHtml = list => !isHeld() || !(may("order") || may("enter")) || !(list.paper || list.photos.length) ? "" : html`<p class="take photos">
  ${list.photos.map((number, i) => html`<a href="${listPath(state.table)}/photos/${number}.jpg" target="_blank" rel="noopener">${l("photo", { n: i + 1 })}</a>`)}
  <label>${l("add_photo")} <input type="file" name="photo" accept="image/jpeg,image/png"></label></p>`;

export async function photoChange(event) {
  if (event.target.name === "photo") await sendFile(`${listPath(state.table)}/photos`, event.target, l("photo_added"));
}

export const footnotesHtml = list => !list.mended.length && !list.paper ? "" : html`<ul class="footnotes">
  ${list.mended.map(one => html`<li>${one.line} ${may("order") ? undoButton(one.number, one.line) : ""}</li>`)}
  ${list.paper ? html`<li>${l("on_paper_note")}</li>` : ""}</ul>`;
