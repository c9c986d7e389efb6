// A table's game as it was played, trick by trick. The pictures of its cards come from the table when somebody asks, and go with this view.

import { ask } from "./actions.js";
import { redraw } from "./draw.js";
import { may, state } from "./live.js";
import { loader } from "./loaded.js";
import { cardFace, html, sectionText } from "./text.js";
import { eventText } from "./told.js";
import { current, failure, say, t } from "./words.js";

const p = (code, fill) => say("page_played", code, fill);
const base = () => `/api/${encodeURIComponent(state.tournament)}/${state.round}/${state.table}/games/${game}`;
const { held, refresh: load } = loader(() => state.table && game && may("order") ? `${base()}?language=${current()}` : "");

let game = null, shown = ""; // of which game something is held
let pictures = null, refused = "", asking = false;
let large = null; // the event whose card is shown large

export const gameAddress = number => `#/${state.round}/${state.table}/game/${number}`;
export const playedTitle = () => `${t("game")} ${game ?? ""}`;

// Another game, or none: what was held of the last one goes.
export function choose(number) {
  game = number;
  const now = number === null ? "" : base();
  if (now === shown) return;
  shown = now;
  held.data = pictures = large = null;
  refused = "";
}

export function refreshPlayed() {
  load();
}

async function fetchPictures() {
  const mine = shown;
  asking = true;
  redraw();
  try {
    const came = await ask("POST", `${base()}/pictures`);
    if (mine === shown) [pictures, refused] = [came, ""];
  } catch (error) {
    if (mine === shown) refused = failure(error);
  }
  asking = false;
  redraw();
}

function enlargePicture(button) {
  const event = Number(button.dataset.event);
  large = large === event ? null : event;
  redraw();
}

export const playedButtons = { fetchPictures, enlargePicture };

const pictureOf = (kind, events) => events.map(event => pictures?.[kind]?.[event]).find(Boolean);
const image = (jpeg, alt) => html`<img src="data:image/jpeg;base64,${jpeg}" alt="${alt}">`;

function cardHtml(step, told, trick) {
  const name = told.players[step.seat - 1], jpeg = pictureOf("cards", step.pictures);
  return html`<li class="${step.gone ? "gone" : ""} ${jpeg && large === step.event ? "large" : ""} ${trick.winner === step.seat && !step.gone ? "won" : ""}">
    ${jpeg ? html`<button type="button" class="picture" data-do="enlargePicture" data-event="${step.event}" aria-pressed="${large === step.event ? "true" : "false"}">${image(jpeg, p("picture_of", { name }))}</button>` : pictures ? html`<span class="quiet small missing">${p("no_picture")}</span>` : ""}
    <span class="laid">${step.down ? t("face_down") : cardFace(step.card, step.doubt, told.bavarian)}</span>
    <b>${name}${trick.winner === step.seat && !step.gone ? " ★" : ""}</b>
    ${step.how.map(one => html`<span class="quiet small">${one}</span>`)}</li>`;
}

function wordHtml(step, told) {
  const card = { players: told.players };
  if (!step.word) return html`<li class="word"><s>${eventText(step.said, card, told.bavarian)}</s> <span class="quiet small">${p("not_said")}</span></li>`;
  const changed = JSON.stringify(step.word) !== JSON.stringify(step.said);
  return html`<li class="word">${eventText(step.word, card, told.bavarian)}
    ${changed ? html`<span class="quiet small">${p("was", { said: eventText(step.said, card, told.bavarian) })}</span>` : ""}</li>`;
}

const breachHtml = step => html`<li class="word breach">${step.breach} <span class="quiet small">${sectionText(step.section)}</span></li>`;

function trickHtml(trick, told) {
  const mat = pictureOf("mats", trick.mats);
  return html`<section class="panel trick"><h2>${t("trick", { n: trick.number })}${trick.winner ? html` <span class="quiet">${p("to", { name: told.players[trick.winner - 1], n: trick.points ?? 0 })}</span>` : ""}</h2>
    <ul class="steps">${trick.steps.map(step => step.card ? cardHtml(step, told, trick) : step.breach ? breachHtml(step) : wordHtml(step, told))}</ul>
    ${mat ? html`<details><summary>${p("mat")}</summary>${image(mat, p("mat"))}</details>` : ""}</section>`;
}

function picturesHtml(told) {
  const card = state.cards.get(state.table);
  if (pictures) {
    const none = !Object.keys(pictures.cards).length && !Object.keys(pictures.mats).length;
    return none ? html`<p class="quiet">${p("none_kept")}</p>` : "";
  }
  if (!card?.connected) return html`<p class="quiet">${say("page_failures", "pictures_away")}</p>`;
  return html`<p class="buttons"><button data-do="fetchPictures" class="main" ?disabled=${asking}>${p(asking ? "asking" : "fetch")}</button></p>
    <p class="quiet small">${p("fetch_why")}</p>${refused ? html`<p class="warn" role="alert">${refused}</p>` : ""}`;
}

export function playedHtml() {
  const back = html`<a class="back" href="#/${state.round}/${state.table}">‹ ${t("table")} ${state.table}</a>`;
  const head = html`${back}<h1>${t("table")} ${state.table} · ${playedTitle()}</h1>`;
  if (!may("order")) return html`<section class="played">${head}<p class="quiet">${p("not_yours")}</p></section>`;
  const told = held.data;
  if (!told || told.game !== game) return html`<section class="played">${head}<p class="quiet">${held.failed ? p("no_game") : ""}</p></section>`;
  const kind = told.kind === "normal" ? "" : say("games", told.kind) + (told.declarer ? ` – ${told.players[told.declarer - 1]}` : "");
  const other = (number, code) => number ? html`<a class="button" href="${gameAddress(number)}">${p(code)}</a>` : "";
  return html`<section class="played">${head}
    <p>${[kind, p("dealt_by", { name: told.players[told.dealer - 1] }), told.running ? t("running") : ""].filter(Boolean).join(" · ")}</p>
    <p class="buttons">${other(told.before, "before")}${other(told.after, "after")}</p>
    ${picturesHtml(told)}
    <div class="tricks">${told.tricks.map(trick => trickHtml(trick, told))}</div></section>`;
}
