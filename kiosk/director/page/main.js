// The page put together: where one is (the address after #), what is drawn, and which button does what.

import { accessButtons, accessChange, accessHtml, enterPin, refreshAccess, shutHtml } from "./access.js";
import * as actions from "./actions.js";
import { callTitle, listen, turnSound } from "./alert.js";
import { bookButtons, bookChange, bookHtml } from "./book.js";
import * as cash from "./cash.js";
import { drawBy, drawNow, redraw } from "./draw.js";
import { hallHtml } from "./hall.js";
import { heldButtons } from "./held.js";
import { headHtml, setupHtml, showTab } from "./head.js";
import * as interruptions from "./interruptions.js";
import { bringBack, keepTyped } from "./kept_typed.js";
import { loadMe, remaining, start, state, watch } from "./live.js";
import { networkButtons } from "./network.js";
import { booksHtml, ownButtons, ownHtml, refreshOwn } from "./own_books.js";
import { boardButtons, signChange } from "./notice_board.js";
import { loadSetup, whenAnother } from "./office.js";
import * as mending from "./mending.js";
import * as paper from "./paper.js";
import { peopleButtons, peopleHtml } from "./people.js";
import * as played from "./played.js";
import { chooseRound, placesButtons, placesChange, placesHtml } from "./places.js";
import { setWatch } from "./pace.js";
import * as prizes from "./prizes.js";
import { programmeButtons, programmeChange, programmeHtml } from "./programme.js";
import { fillDrafts, savedButtons, typedIn } from "./overtaken.js";
import { savingButtons } from "./saving.js";
import * as series from "./series.js";
import * as standings from "./standings.js";
import { tableHtml } from "./table.js";
import { clockText, html, put } from "./text.js";
import { choose, current, loadWords, next, s, say, t } from "./words.js";
import { timeButtons } from "./wall_time.js";
import { wishesButtons } from "./wishes.js";
import * as year from "./year.js";

// Each view: what it shows, what it is called, and what it asks the service for.
const views = {
  hall: { html: hallHtml, title: () => `${t("round")} ${state.round}` },
  table: { html: tableHtml, title: () => `${t("table")} ${state.table}`, refresh: paper.refreshPaper },
  played: { html: played.playedHtml, title: () => `${t("table")} ${state.table} · ${played.playedTitle()}`, refresh: played.refreshPlayed },
  people: { html: () => setupHtml("people", peopleHtml()), title: () => s("people") },
  places: { html: () => setupHtml("places", placesHtml()), title: () => s("places") },
  programme: { html: () => setupHtml("programme", programmeHtml()), title: () => s("programme") },
  book: { html: () => setupHtml("book", html`${bookHtml()}${state.me.director ? booksHtml() : ""}`), title: () => s("rules"), refresh: refreshOwn },
  own: { html: () => setupHtml("book", ownHtml()), title: () => say("page_book", "books"), refresh: refreshOwn },
  standings: { html: standings.standingsHtml, title: () => t("standings"), refresh: standings.refresh },
  cash: { html: cash.cashHtml, title: () => t("cash"), refresh: cash.refresh },
  prizes: { html: prizes.prizesHtml, title: () => say("page_prizes", "title"), refresh: prizes.refresh },
  series: { html: series.seriesHtml, title: () => say("ranking", "series"), refresh: series.refresh },
  year: { html: year.yearHtml, title: () => t("year"), refresh: year.refresh },
  access: { html: accessHtml, title: () => say("page_access", "access"), refresh: refreshAccess },
};
let view = "hall", entered = false, drawn = false;
const scrolled = new Map(); // how far each page was scrolled
const where = () => [view, state.round, state.table, played.playedTitle()].join("/");

// #/2 round 2, #/2/7 its table 7, #/2/7/game/3 that table's third game, #/standings, #/cash, #/year/2026, #/setup/people; #pin=… logs in (the demo opens the page so)
function route() {
  actions.takeBackForm();
  scrolled.set(where(), scrollY);
  const before = { view, table: state.table };
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  const name = parts[0] === "setup" ? parts[1] ?? "people" : parts[0];
  const tournament = state.tournament || state.me.tournament;
  if (name in views && !["hall", "table", "played"].includes(name)) {
    view = name;
    played.choose(null);
    if (view === "places") chooseRound(Number(parts[2]));
    if (view === "year") year.choose(Number(parts[1]));
    if (view === "standings") standings.choose(Number(parts[1]));
    if (view === "series") series.choose(parts[1]);
    watch(tournament, state.round || state.me.now, null);
  } else {
    const [round = state.me.now, table = null] = parts.slice(0, 2).map(part => /^[1-9]\d{0,3}$/.test(part) ? Number(part) : undefined);
    const game = table && parts[2] === "game" && /^[1-9]\d{0,3}$/.test(parts[3]) ? Number(parts[3]) : null;
    view = game ? "played" : table ? "table" : "hall";
    watch(tournament, round, table);
    played.choose(game);
  }
  drawNow();
  scrollTo(0, scrolled.get(where()) ?? 0);
  if (entered) focusOn(before);
  entered = true;
}

// On a new page reading begins at its heading; back in the hall, at the table one comes from.
function focusOn(before) {
  const from = view === "hall" && before.table ? document.querySelector(`.card[data-table="${before.table}"]`) : null;
  const target = from ?? document.querySelector("#main h1") ?? document.getElementById("main");
  if (target.tagName === "H1") target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

function draw() {
  if (!state.tournament && state.me.tournament) return route(); // somebody has just logged in: only now it is known what is held
  bringBack();
  document.documentElement.lang = current();
  document.title = `${callTitle()}${views[view].title()} – ${state.tournament} – Stichwart`;
  put(document.getElementById("skip"), t("skip"));
  put(document.getElementById("top"), headHtml(view));
  showTab();
  const broken = document.getElementById("broken");
  broken.hidden = state.up || !drawn || state.me.shut; // who is logged out is told nothing, and misses nothing
  broken.textContent = t("dead");
  drawn ||= state.up;
  document.body.classList.toggle("stale", !broken.hidden);
  put(document.getElementById("main"), state.me.shut ? shutHtml() : views[view].html());
  fillDrafts();
  keepTyped();
  if (!state.me.shut) {
    views[view].refresh?.();
    loadSetup();
  }
  tick();
}

// Clocks go on between two messages.
function tick() {
  for (const element of document.querySelectorAll("[data-clock]")) {
    const card = state.cards.get(Number(element.dataset.clock));
    const left = card ? remaining(card) : null;
    element.textContent = left === null ? (card?.time_up ? t("time_over") : "") : clockText(left);
    element.classList.toggle("late", left !== null && (left < 0 || card.clock.over));
    element.classList.toggle("soon", left !== null && left >= 0 && left < 600 && card.clock.running);
    element.classList.toggle("still", left !== null && !card.clock.running);
    element.title = card?.clock?.extra > 0 ? `${t("extra_mark")}: ${clockText(card.clock.extra)}` : "";
  }
}

const buttons = {
  releaseAll: actions.releaseAll, timeUpAll: actions.timeUpAll,
  drawLot: standings.drawLot, noteLot: standings.noteLot, pay: cash.pay, takeBack: cash.takeBack, setCounts: year.setCounts,
  ...accessButtons, ...savingButtons, ...networkButtons, ...timeButtons, ...bookButtons, ...peopleButtons, ...placesButtons, ...programmeButtons, ...wishesButtons, ...prizes.prizesButtons, ...series.seriesButtons, ...boardButtons, ...heldButtons, ...savedButtons, ...ownButtons, ...played.playedButtons,
  sound: turnSound, setWatch, undoNote: mending.undoNote, undoOrder: mending.undoOrder,
  takeHeld: actions.takeHeld, decideRival: actions.decideRival,
  callAll: () => actions.callTable(null), asideAll: actions.asideAll,
  language: () => { choose(next()); redraw(); },
};
for (const name of ["release", "timeUp", "extra", "callTable", "refereeComes", "rule", "clearCall", "leave", "strike", "putRight", "aside"]) {
  buttons[name] = element => actions[name](state.cards.get(Number(element.dataset.table)));
}
for (const name of ["replacePlayer", "court", "courtEnds"]) {
  buttons[name] = element => interruptions[name](state.cards.get(Number(element.dataset.table)));
}

for (const [name, button] of Object.entries({ mend: mending.mend, keepOnPaper: paper.keepOnPaper, paperResult: paper.paperResult, paperClose: paper.paperClose })) {
  buttons[name] = element => button(state.cards.get(Number(element.dataset.table)));
}
document.addEventListener("submit", paper.paperSubmit);
document.addEventListener("input", event => {
  typedIn(event.target);
  if (event.target.tagName !== "INPUT") return;
  for (const typed of [paper.paperChange, bookChange, programmeChange]) typed(event);
  keepTyped();
});

document.addEventListener("click", event => {
  const element = event.target.closest("button[data-do]");
  if (element) buttons[element.dataset.do](element);
});
document.addEventListener("change", event => {
  typedIn(event.target);
  accessChange(event);
  mending.photoChange(event);
  signChange(event);
  if (event.target.tagName === "SELECT") paper.paperChange(event);
  bookChange(event);
  placesChange(event);
  programmeChange(event);
  if (event.target.dataset.do === "tournament") {
    const rounds = state.me.tournaments[event.target.value];
    watch(event.target.value, rounds.at(-1) ?? 1, null);
    location.hash = `#/${state.round}`;
    redraw();
  }
});
document.getElementById("skip").onclick = event => {
  event.preventDefault();
  document.getElementById("main").focus();
};
addEventListener("pagehide", keepTyped);
whenAnother(actions.takeBackForm);
drawBy(draw);

async function begin() {
  const pin = /^#pin=(.+)$/.exec(location.hash);
  if (pin) history.replaceState(null, "", location.pathname);
  for (let wait = 300; ; wait = Math.min(wait * 2, 4000)) {
    try {
      await Promise.all([loadMe(), loadWords()]);
      break;
    } catch {
      document.getElementById("broken").hidden = false;
      document.getElementById("broken").textContent = t("dead");
      await new Promise(done => setTimeout(done, wait));
    }
  }
  if (pin && !state.me.director) await enterPin(decodeURIComponent(pin[1]));
  state.round = state.me.now;
  route();
  addEventListener("hashchange", route); // not before: it is not known yet who has logged in, and what is held
  setInterval(tick, 250);
  setInterval(() => loadMe().then(redraw, () => {}), 20000); // other tournaments and pages may have come
  let wasUp = false;
  start(() => {
    if (state.up && !wasUp) loadMe().then(redraw, () => {});
    wasUp = state.up;
    listen();
    redraw();
  });
}
begin();
