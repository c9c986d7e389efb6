// The page's head: which tournament, which round, which page, and whether the line to the service stands.

import { meHtml } from "./access.js";
import { isHeld, may, state } from "./live.js";
import { html } from "./text.js";
import { next, s, say, t } from "./words.js";

const tab = (address, text, here) => html`<a href="#/${address}" class="${here ? "here" : ""}" aria-current="${here ? "page" : "false"}">${text}</a>`;

function tournamentHtml() {
  const names = Object.keys(state.me.tournaments);
  if (names.length < 2) return html`<span class="tournament">${state.tournament}</span>`;
  return html`<select data-do="tournament" aria-label="${s("setup")}">${names.map(name => html`<option ?selected=${name === state.tournament}>${name}</option>`)}</select>`;
}

const languageHtml = () => html`<button data-do="language" class="plain" lang="${next()}"><span class="long">${say("language", "name", {}, next())}</span><span class="short">${say("language", "short", {}, next())}</span></button>`;

export function headHtml(view) {
  const rounds = state.me.tournaments[state.tournament] ?? [state.round];
  const page = (name, there) => there || view === name ? tab(name, t(name), view === name) : "";
  const brand = html`<a class="brand" href="#/${state.round}"><img src="/page/icon.svg" alt="" width="30" height="30"><span>Stichwart</span></a>`;
  if (state.me.shut) return html`${brand}<span class="space"></span>${languageHtml()}${meHtml()}`; // nothing opens before somebody has logged in
  return html`${brand}${tournamentHtml()}
    <nav class="rounds" aria-label="${t("pages")}">${rounds.map(round => tab(round, html`${t("round")} ${round}`, ["hall", "table", "played"].includes(view) && round === state.round))}
      ${isHeld() ? tab("setup/people", s("setup"), VIEWS.some(([name]) => name === view) || view === "own") : ""}
      ${page("standings", true)}${page("cash", state.me.money && may("cash"))}${may("cash") ? tab("prizes", say("page_prizes", "title"), view === "prizes") : ""}${page("year", state.me.years)}${state.me.director || state.me.series || view === "series" ? tab("series", say("ranking", "series"), view === "series") : ""}${state.me.director ? tab("access", say("page_access", "access"), view === "access") : ""}</nav>
    <span class="space"></span>
    <span class="dot ${state.up ? "on" : "off"}" role="img" aria-label="${state.up ? t("live") : t("dead")}" title="${state.up ? t("live") : t("dead")}"></span>
    ${languageHtml()}${meHtml()}`;
}

let shown = "";

// On a small screen the tabs are one line that is pushed aside: the one that is open stands in the middle of it.
export function showTab() {
  if (shown === location.hash) return;
  shown = location.hash;
  const tabs = document.querySelector("#top .rounds"), here = tabs?.querySelector(".here");
  if (here) tabs.scrollLeft = here.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - here.offsetWidth) / 2;
}

const VIEWS = [["people", "people"], ["places", "places"], ["programme", "programme"], ["book", "rules"]];

// The three views of setting up, with their tabs.
export function setupHtml(view, content) {
  return html`<section class="setup"><h1 class="unseen">${s("setup")}: ${s(VIEWS.find(([name]) => name === view)[1])}</h1>
    <nav class="tabs" aria-label="${s("setup")}">${VIEWS.map(([name, word]) => tab(`setup/${name}`, s(word), name === view))}</nav>${content}</section>`;
}
