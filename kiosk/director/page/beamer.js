// The page for a projector: no controls, one picture after the other, following the hall.
// /beamer?seconds=12&look=dark&language=en: how long each picture stays, dark or light, the language.

import { drawBy, redraw } from "./draw.js";
import { phaseText } from "./hall.js";
import { loader } from "./loaded.js";
import { loadMe, noDevice, onPaper, remaining, start, state, watch } from "./live.js";
import { known, loadSetup } from "./office.js";
import { overviewHtml } from "./overview.js";
import { clockText, html, put } from "./text.js";
import { current, loadWords, locale, s, say, speak, t } from "./words.js";

const wish = new URLSearchParams(location.search);
const SECONDS = Math.min(600, Math.max(3, Number(wish.get("seconds")) || 12));
const NAMES = 45, PLACES = 30, TABLES = 25, ON_PAPER = 12; // in one picture, as large as they must be
const LONG = 15, LONGER = 23; // letters of a name from which it is written smaller rather than cut
let shown = 0, seen = null;

const standing = loader(() => state.tournament && `/api/${encodeURIComponent(state.tournament)}/standings.json`);

const pages = (all, most) => Array.from({ length: Math.ceil(all.length / most) }, (_, i) => all.slice(i * most, (i + 1) * most));
const titled = (title, parts, draw) => parts.map((part, i) => () => html`<h2>${title}${parts.length > 1 ? ` (${i + 1}/${parts.length})` : ""}</h2>${draw(part)}`);

const whoHtml = name => html`<span class="who ${name.length > LONGER ? "longer" : name.length > LONG ? "long" : ""}">${name}</span>`;

function planPictures() {
  const plan = known()?.plans[state.round];
  const cards = [...state.cards.values()];
  if (!plan?.published || (cards.length && cards.every(card => card.closed))) return []; // nobody sits there any more
  const places = Object.entries(plan.seats).flatMap(([table, names]) => names.map((name, i) => ({ name, table, seat: i + 1 })));
  places.sort((a, b) => a.name.localeCompare(b.name, current()));
  return titled(`${s("draw", { round: state.round })} – ${t("beamer_place")}`, pages(places, NAMES), part => html`<ul class="names">${part.map(one => html`<li>
    ${whoHtml(one.name)}<span>${one.table} / ${one.seat}</span></li>`)}</ul>`);
}

// What is planned for the evening, where the direction has made a programme.
function programmePictures() {
  const setup = known();
  return setup?.programme ? titled(s("programme"), [setup], () => overviewHtml(setup)) : [];
}

function hallPictures() {
  const cards = [...state.cards.values()].sort((a, b) => a.table - b.table);
  return titled(t("tables"), pages(cards, TABLES), part => html`<ul class="states">${part.map(card => {
    const called = card.objection || (card.status?.referee && !card.status.coming);
    return html`<li class="${called ? "called" : ""}"><b>${card.table}</b>${card.game && !card.closed ? html`${t("game")} ${card.game}` : ""}
      <br><span>${called ? t("referee") : phaseText(card)}</span></li>`;
  })}</ul>`);
}

// Who sits at the tables that have no device, and so no screen that says it.
function paperPictures() {
  const cards = [...state.cards.values()].filter(card => !card.closed && (noDevice(card) || onPaper(card))).sort((a, b) => a.table - b.table);
  return titled(t("beamer_paper"), pages(cards, ON_PAPER), part => html`<ol class="paper">${part.map(card => html`<li>
    <b>${card.table}</b>${(card.players.length ? card.players : card.planned).map(whoHtml)}</li>`)}</ol>`);
}

function standingPictures() {
  const data = standing.held.data;
  if (!data?.places.length) return [];
  const title = say("ranking", "standing") + (data.final ? "" : ` – ${say("ranking", "provisional")}`);
  return titled(title, pages(data.places, PLACES), part => html`<ul class="places">${part.map(one => html`<li>
    <span class="rank">${one.place ?? "–"}</span><span class="who">${one.name}</span><span>${one.points}</span></li>`)}</ul>`);
}

const noticePictures = () => (known()?.board.announcements ?? []).map(one => () => html`<p class="notice ${one.text.length > 90 ? "long" : ""}">${one.text}</p>`);

// A new announcement is shown at once, whatever is shown now; the latest hangs last.
function showNews() {
  const hanging = known()?.board.announcements ?? [];
  const latest = hanging.at(-1)?.number ?? -1;
  if (seen !== null && latest > seen) shown = hanging.length - 1;
  if (known()) seen = latest;
}

const signHtml = () => known()?.board.sign ? html`<img src="/api/${encodeURIComponent(state.me.tournament)}/sign/${known().board.sign}.jpg" alt="">` : "";

// What the round asks of everybody now, and the time that most tables have left.
function callText(cards) {
  if (!cards.length) return "";
  if (cards.every(card => card.closed)) return t("beamer_over", { round: state.round });
  if (!cards.some(card => card.released)) return t("beamer_seats", { round: state.round });
  return t("beamer_runs", { round: state.round });
}

function draw() {
  const cards = [...state.cards.values()];
  const left = cards.filter(card => card.released && !card.closed).map(remaining).filter(seconds => seconds !== null).sort((a, b) => a - b);
  const clock = left.length ? clockText(left[Math.floor(left.length / 2)]) : "";
  document.documentElement.lang = current();
  document.title = `${state.tournament} – Stichwart`;
  showNews();
  put(document.getElementById("top"), html`${signHtml()}<h1>${state.tournament}</h1>${state.up ? html`<span class="call">${callText(cards)}</span><span class="left">${clock}</span>`
    : state.me.shut ? "" : html`<span class="call">${t("beamer_still")}</span>`}<time>${new Date().toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit" })}</time>`);
  if (state.me.shut) return put(document.getElementById("main"), html`<p class="nothing"><span>${t("beamer_shut")}<br><a href="/" target="_blank" rel="noopener">${say("page_access", "login")}</a></span></p>`);
  const pictures = [...noticePictures(), ...planPictures(), ...programmePictures(), ...hallPictures(), ...paperPictures(), ...standingPictures()];
  put(document.getElementById("main"), pictures.length ? pictures[shown % pictures.length]() : html`<p class="nothing">${t("no_tables")}</p>`);
  loadSetup();
  standing.refresh();
}

// The round that is on now, of the tournament that is held.
async function follow() {
  await loadMe();
  if (state.tournament !== state.me.tournament || state.round !== state.me.now) watch(state.me.tournament, state.me.now, null);
  redraw();
}

async function begin() {
  if (["dark", "light"].includes(wish.get("look"))) document.documentElement.dataset.look = wish.get("look");
  for (;;) {
    try {
      await Promise.all([follow(), loadWords()]);
      break;
    } catch {
      await new Promise(done => setTimeout(done, 2000));
    }
  }
  if (wish.get("language")) speak(wish.get("language"));
  drawBy(draw);
  let wasUp = false;
  start(() => {
    if (state.up && !wasUp) follow().catch(() => {});
    wasUp = state.up;
    redraw();
  });
  setInterval(redraw, 1000);
  setInterval(() => { shown += 1; redraw(); }, SECONDS * 1000);
  setInterval(() => follow().catch(() => {}), 10000);
  addEventListener("focus", () => follow().catch(() => {})); // back from the page where somebody has logged in
}
begin();
