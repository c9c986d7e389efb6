// The page put together: where one is (the address after #), what is drawn, and which button does what.

import * as actions from "./actions.js";
import * as cash from "./cash.js";
import { hallHtml, summaryHtml } from "./hall.js";
import { loadMe, remaining, start, state, watch, whenNoted } from "./live.js";
import { court, courtEnds, fillSetup, loadSetup, onSetup, replacePlayer, setupButtons, setupChange, setupHtml } from "./setup.js";
import * as standings from "./standings.js";
import { tableHtml } from "./table.js";
import { clockText, html, put } from "./text.js";
import { choose, current, loadWords, next, s, say, t } from "./words.js";
import * as year from "./year.js";

let view = "hall", drawn = false;

// #/2 round 2, #/2/7 its table 7, #/standings, #/cash, #/year/2026; #pin=… logs in (the demo opens the page so)
function route() {
  const parts = location.hash.replace(/^#\/?/, "").split("/").filter(Boolean);
  const tournament = state.tournament || state.me.tournament;
  if (["standings", "cash", "year", "setup"].includes(parts[0])) {
    view = parts[0];
    if (view === "year") year.choose(Number(parts[1]));
    watch(tournament, state.round || state.me.now, null);
  } else {
    const round = Number(parts[0]) || state.me.now;
    const table = Number(parts[1]) || null;
    view = table ? "table" : "hall";
    watch(tournament, round, table);
  }
  scrollTo(0, 0);
  draw();
}

const tab = (name, there) => there || view === name ? html`<a href="#/${name}" class="${view === name ? "here" : ""}">${t(name)}</a>` : "";

function headHtml() {
  const rounds = state.me.tournaments[state.tournament] ?? [state.round];
  const names = Object.keys(state.me.tournaments);
  return html`<a class="brand" href="#/${state.round}"><img src="/page/icon.svg" alt="" width="30" height="30">Stichwart</a>
    ${names.length > 1 ? html`<select data-do="tournament" aria-label="${t("hall")}">${names.map(name => html`<option ${name === state.tournament ? "selected" : ""}>${name}</option>`)}</select>`
      : html`<span class="tournament">${state.tournament}</span>`}
    <nav class="rounds">${rounds.map(round => html`<a href="#/${round}" class="${["hall", "table"].includes(view) && round === state.round ? "here" : ""}">${t("round")} ${round}</a>`)}
      ${state.tournament === state.me.tournament ? html`<a href="#/setup" class="${view === "setup" ? "here" : ""}">${s("setup")}</a>` : ""}
      ${tab("standings", true)}${tab("cash", state.me.money && state.me.director)}${tab("year", state.me.years)}</nav>
    <span class="space"></span>
    <span class="dot ${state.up ? "on" : "off"}" title="${state.up ? t("live") : t("dead")}"></span>
    <button data-do="language" class="plain" lang="${next()}"><span class="long">${say("language", "name", {}, next())}</span><span class="short">${say("language", "short", {}, next())}</span></button>
    ${!state.me.pin ? "" : state.me.director ? html`<button data-do="logOut" class="plain">${t("logout")}</button>`
      : html`<button data-do="logIn" class="main"><span class="long">${t("login")}</span><span class="short">${t("log_in_short")}</span></button>`}`;
}

function barHtml() {
  const open = state.me.director && state.tournament === state.me.tournament && state.cards.size;
  const waiting = [...state.cards.values()].some(card => !card.released);
  const running = [...state.cards.values()].some(card => card.released && !card.time_up && !card.closed);
  const lists = [...state.cards.values()].some(card => card.phase !== "empty");
  return html`<div class="bar"><div class="summary">${summaryHtml()}
    ${lists ? html`<a href="/api/${encodeURIComponent(state.tournament)}/${state.round}/lists.pdf?language=${current()}">${t("all_lists")}</a>` : ""}</div>${open ? html`<div class="buttons">
    ${waiting ? html`<button data-do="releaseAll" class="main">${t("release_all")}</button>` : ""}
    ${running ? html`<button data-do="timeUpAll" class="danger">${t("time_up_all")}</button>` : ""}
    <button data-do="callAll">${t("call_all")}</button></div>` : ""}</div>
    ${state.me.open_to_all ? html`<p class="note warn">${t("open_to_all")}</p>` : ""}`;
}

function draw() {
  document.documentElement.lang = current();
  document.title = `Stichwart – ${view === "table" ? `${t("table")} ${state.table}` : state.tournament}`;
  put(document.getElementById("top"), headHtml());
  const broken = document.getElementById("broken");
  broken.hidden = state.up || !drawn;
  broken.textContent = t("dead");
  drawn ||= state.up;
  document.body.classList.toggle("stale", !broken.hidden);
  const main = document.getElementById("main");
  if (view === "standings") put(main, html`${standings.standingsHtml()}`);
  else if (view === "cash") put(main, html`${cash.cashHtml()}`);
  else if (view === "year") put(main, html`${year.yearHtml()}`);
  else if (view === "setup") {
    put(main, html`${state.me.open_to_all ? html`<p class="note warn">${t("open_to_all")}</p>` : ""}${setupHtml()}`);
    fillSetup();
  } else if (view === "table") put(main, tableHtml());
  else put(main, html`${barHtml()}${hallHtml()}`);
  if (view === "standings") standings.refresh(draw);
  else if (view === "cash") cash.refresh(draw);
  else if (view === "year") year.refresh(draw);
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
  logIn: actions.logIn, logOut: actions.logOut, releaseAll: actions.releaseAll, timeUpAll: actions.timeUpAll,
  ...setupButtons,
  callAll: () => actions.callTable(null), asideAll: actions.asideAll,
  language: () => { choose(next()); put(document.getElementById("main"), ""); draw(); loadSetup(); },
};
for (const [name, press] of Object.entries({
  drawLot: standings.drawLot, noteLot: standings.noteLot, pay: cash.pay, takeBack: cash.takeBack, setCounts: year.setCounts,
})) {
  buttons[name] = element => press(element, draw);
}
for (const name of ["release", "timeUp", "extra", "callTable", "refereeComes", "rule", "clearCall", "leave", "strike", "putRight", "aside"]) {
  buttons[name] = element => actions[name](state.cards.get(Number(element.dataset.table)));
}

for (const [name, act] of Object.entries({ replacePlayer, court, courtEnds })) {
  buttons[name] = element => act(state.cards.get(Number(element.dataset.table)));
}

document.addEventListener("click", event => {
  const element = event.target.closest("button[data-do]");
  if (element) buttons[element.dataset.do](element);
});
document.addEventListener("change", event => {
  setupChange(event);
  if (event.target.dataset.do === "tournament") {
    const rounds = state.me.tournaments[event.target.value];
    watch(event.target.value, rounds.at(-1) ?? 1, null);
    location.hash = `#/${state.round}`;
    draw();
  }
});
addEventListener("hashchange", route);
setInterval(tick, 250);
setInterval(() => loadMe().then(draw, () => {}), 20000); // other tournaments and pages may have come
actions.onChanged(() => { draw(); loadSetup(); });
onSetup(draw);
whenNoted(loadSetup);

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
  if (pin && !state.me.director) await actions.enter(decodeURIComponent(pin[1]));
  state.round = state.me.now;
  route();
  let wasUp = false;
  start(() => {
    if (state.up && !wasUp) loadMe().then(draw, () => {});
    wasUp = state.up;
    draw();
  });
}
begin();
