// One table's page: its list as on paper, what lies on the table, what happened last, and the director's buttons.

import { needs, orderName, phaseText, progress } from "./hall.js";
import { heldText, heldWhy } from "./held.js";
import { isHeld, may, noDevice, onPaper, state } from "./live.js";
import { footnotesHtml, l, photosHtml } from "./mending.js";
import { courtOf, known } from "./office.js";
import { paperHtml } from "./paper.js";
import { gameAddress } from "./played.js";
import { cardFace, clockText, gameText, html, sectionText, timeText } from "./text.js";
import { eventText } from "./told.js";
import { current, s, say, t } from "./words.js";

const MARKS = { duty: "P", lust: "L", solo: "S", still: "S", hochzeit: "H" };
const SIGNS = { plus: "+", minus: "−" };
const mark = (kind, letter, title) => html`<span class="mark ${kind}" title="${title}">${letter}</span>`;
const number = cell => typeof cell === "number" ? String(cell).replace("-", "−") : cell;
const running = card => !card.closed && !onPaper(card) && !["empty", "waiting", "over", "scored", "paper"].includes(card.phase);

// Columns that belong together: those of a player, or one of the others.
function groupsOf(list) {
  const groups = [];
  list.fields.forEach((field, i) => {
    const last = groups.at(-1);
    if (field.seat && last?.seat === field.seat) last.kinds.push(field.kind);
    else groups.push({ seat: field.seat, kinds: [field.kind], first: i });
  });
  return groups;
}

function headHtml(list, groups, card) {
  const signs = groups.some(group => group.kinds.length > 1);
  const top = html`<tr><th class="n" rowspan="${signs ? 2 : 1}"><span class="long">${t("game")}</span><span class="short">${t("number_short")}</span></th>
    ${groups.map(group => group.seat
      ? html`<th class="p" colspan="${group.kinds.length}">${card.players[group.seat - 1]}</th>`
      : html`<th class="${group.kinds[0] === "game" ? "k" : "n"}" rowspan="${signs ? 2 : 1}">${list.columns[group.first]}</th>`)}</tr>`;
  const below = html`<tr>${groups.filter(group => group.seat).map(group => group.kinds.map(kind => html`<th class="s">${SIGNS[kind]}</th>`))}</tr>`;
  return signs ? [top, below] : top;
}

function rowHtml(list, groups, row, cells) {
  return html`<tr class="${row.struck ? "void" : ""} ?open=${row.open}" data-game="${row.game}"><th class="n">${may("order") && row.own ? html`<a href="${gameAddress(row.own)}" title="${say("page_played", "look")}">${row.game}</a>` : row.game}${row.marks.map(one => html`<sup>*${one}</sup>`)}</th>
    ${groups.map(group => group.kinds.map((kind, i) => {
      const cell = number(cells[group.first + i]);
      if (kind === "game") return html`<td class="k">${cell}${row.open ? html` <span class="tag">${t("open")}</span>` : ""}</td>`;
      if (!group.seat) return html`<td class="n">${cell}</td>`;
      const marks = i ? "" : [row.alone === group.seat ? mark("solo", MARKS[row.solo], list.solos[row.solo]) : "",
        row.dealer === group.seat ? mark("dealer", "G", t("dealer_mark")) : ""];
      return html`<td class="${kind === "total" ? "p" : "s"} ${row.score[group.seat] ? "scored" : ""}">${marks}<span>${cell}</span></td>`;
    }))}</tr>`;
}

function runningHtml(groups, card) {
  const what = [card.kind && card.kind !== "normal" ? say("games", card.kind) : "", t("running"),
    card.trick && card.phase === "playing" ? t("trick", { n: card.trick }) : ""].filter(Boolean).join(" · ");
  return html`<tr class="running"><th class="n">${may("order") && card.own ? html`<a href="${gameAddress(card.own)}" title="${say("page_played", "look")}">${card.game}</a>` : card.game}</th>${groups.map(group => group.kinds.map((kind, i) => kind === "game"
    ? html`<td class="k">${what}</td>`
    : html`<td class="${!group.seat ? "n" : group.kinds.length > 1 ? "s" : "p"}">${group.seat === card.dealer && !i ? mark("dealer", "G", t("dealer_mark")) : ""}</td>`))}</tr>`;
}

function footHtml(groups, [label, cells]) {
  return html`<tr class="sum"><th class="n">${label.length < 3 ? label : ""}</th>${groups.map(group => {
    const own = cells.slice(group.first, group.first + group.kinds.length);
    if (group.kinds[0] === "game") return html`<td class="k">${label.length < 3 ? "" : label}</td>`;
    if (own.length > 1 && own[1] === "") return html`<td class="s" colspan="${own.length}">${number(own[0])}</td>`;
    return own.map(cell => html`<td class="${group.seat ? own.length > 1 ? "s" : "p" : "n"}">${number(cell)}</td>`);
  })}</tr>`;
}

function listHtml(card, sheet) {
  const list = sheet.lists[current()];
  if (!list) return html`<p class="quiet">${t("not_begun")}</p>`;
  const groups = groupsOf(list);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${list.name}"><table class="list ${groups[0].kinds.length > 1 ? "signs" : ""}"><thead>${headHtml(list, groups, card)}</thead>
    <tbody>${list.rows.map((row, i) => rowHtml(list, groups, row, list.lines[i]))}${running(card) ? runningHtml(groups, card) : ""}</tbody>
    ${list.rows.length || list.paper ? html`<tfoot>${list.foot.map(line => footHtml(groups, line))}</tfoot>` : ""}</table></div>
    ${!list.rows.length && !running(card) && !list.paper ? html`<p class="quiet">${t("not_begun")}</p>` : ""}
    <p class="legend">${mark("dealer", "G", t("dealer_mark"))} ${t("dealer_mark")}
      ${Object.entries(list.solos).map(([solo, name]) => html` ${mark("solo", MARKS[solo], name)} ${name}`)}</p>
    ${list.rows.length && list.checks.length ? html`<ul class="checks">${list.checks.map(([name, result, right]) => html`<li class="${right ? "right" : "wrong"}">${name}: ${result}</li>`)}</ul>` : ""}
    ${list.state.length ? html`<ul class="state">${list.state.map(line => html`<li>${line}</li>`)}</ul>` : ""}
    ${footnotesHtml(list)}${photosHtml(list)}
    ${list.rulings.length ? html`<h3>${t("rulings")}</h3><ul class="state">${list.rulings.map(line => html`<li>${line}</li>`)}</ul>` : ""}`;
}

const limit = one => one.cards === 0 ? t("only_now") : t(one.counted === "table" ? "more_cards_table" : "more_cards_own", { n: one.cards });

// What a seat has said, and what it may still say and until when.
function saidHtml(seat, sheet) {
  const words = [];
  if (seat.answer && !["gesund", "weiter", "recht"].includes(seat.answer)) words.push(say("calls", seat.answer));
  if (seat.bid) words.push(seat.bid === "no_higher" ? say("calls", "no_higher") : say("games", seat.bid));
  return [words.length ? html`<span class="answer">${words.join(", ")}</span>` : "", seat.said.map(call => html`<b class="call">${say("calls", call)}</b>`)];
}

function maySayHtml(seat) {
  const groups = new Map();
  for (const call of seat.may_say) groups.set(limit(call), [...groups.get(limit(call)) ?? [], say("calls", call.call)]);
  return [...groups].map(([until, calls]) => html`<span class="may">${[...new Set(calls)].join(", ")}: ${until}</span>`);
}

function seatsHtml(card, sheet) {
  const german = sheet.bavarian;
  return html`<ul class="seats">${sheet.seats.map(seat => {
    const laid = (sheet.open_trick ?? []).find(one => one.seat === seat.seat);
    return html`<li class="${seat.turn ? "turn" : ""}"><span class="who">${seat.name}
        ${seat.dealer ? mark("dealer", "G", t("dealer_mark")) : ""}
        ${seat.duty_open ? mark("duty", "P", t("duty_mark")) : ""}${seat.side && running(card) ? html`<span class="side-of">${german ? say("page_sides", seat.side) : say("calls", seat.side)}</span>` : ""}</span>
      <span class="said">${saidHtml(seat, sheet)}</span>
      <span class="laid">${laid ? (laid.card ? cardFace(laid.card, laid.doubt, german) : t("face_down")) : ""}</span>
      <span class="quiet small">${!running(card) ? "" : seat.sits_out ? t("sits_out") : `${t("cards", { n: seat.cards_left })} · ${t("tricks", { n: seat.tricks_won })}`}
        ${seat.ran ? html`<b>${t("ran")}</b>` : ""}${seat.euros ? html`<b>${t(seat.euros > 0 ? "pays" : "gets", { euros: Math.abs(seat.euros) })}</b>` : ""}
        ${seat.owes ? html`<b class="owes">${t("owes", { until: limit(seat.owes) })}</b>` : ""}${running(card) ? maySayHtml(seat) : ""}</span></li>`;
  })}</ul>`;
}

// The game in play: what it is, what was called, whether it counts double, whether leave is needed.
function gameHtml(card, sheet) {
  const game = sheet.game;
  if (!game) return "";
  const lines = [];
  if (running(card) && game.kind && game.kind !== "normal") {
    lines.push(html`<b>${gameText(game, sheet.bavarian)}</b>${game.declarer ? ` – ${card.players[game.declarer - 1]}` : ""}
      ${game.called ? html` ${t("calls_card")} ${cardFace(game.called, false, sheet.bavarian)}` : ""}${game.renonce ? ` (${t("renonce")})` : ""}
      ${game.raised.map(call => html` <b class="call">${say("calls", call)}</b>`)}`);
  }
  if (card.leave) lines.push(html`<span class="leave ${card.leave.state}">${say("page_leaves", card.leave.state, { game: say("games", card.leave.game), name: card.players[card.leave.seat - 1] })}
    <span class="quiet">${sectionText(card.leave.section)}</span></span>`);
  if (game.doubled && running(card)) lines.push(html`<span class="tag">${t("doubled")}</span>`);
  if (game.bock_left) lines.push(t("bock_left", { n: game.bock_left }));
  return lines.length ? html`<ul class="state now">${lines.map(line => html`<li>${line}</li>`)}</ul>` : "";
}

// The service says which buttons can work on this list as it stands (offered.py); the others are not there.
function actionsHtml(card, sheet) {
  if (!may("order")) {
    return state.me.name ? "" : html`<button data-do="logIn" class="main">${say("page_access", "login")}</button><p class="quiet">${say("page_access", "login_why")}</p>`;
  }
  const directs = state.me.director, offers = new Set((sheet.offers ?? []).filter(one => one === "mend" || !(onPaper(card) || noDevice(card)))), held = isHeld();
  const button = (what, kind = "") => html`<button data-do="${what}" data-table="${card.table}" class="${kind}">${t({ release: "release", timeUp: "time_up", extra: "extra", callTable: "call", rule: "rule", clearCall: "clear_call", leave: "leave", strike: "strike", putRight: "put_right", aside: "aside" }[what])}</button>`;
  const offer = (what, kind) => held && offers.has(what) ? button(what, kind) : "";
  const called = card.phase === "resting", waits = held && card.status?.referee && !card.status.coming;
  const there = card.connected || !card.closed && !card.reopened;  // a table that has handed its list in must be there to change it
  const mendKey = offers.has("mend") ? html`<button data-do="mend" data-table="${card.table}" class="${card.closed ? "main" : ""}">${l("mend")}</button>` : "";
  return html`<div class="buttons">
    ${waits ? html`<button data-do="refereeComes" data-table="${card.table}" class="main">${t("referee_comes")}</button>` : ""}
    ${called ? [offer("rule", "main"), offer("clearCall")] : ""}
    ${directs ? offer("release", "main") : ""}
    ${card.reopened ? html`<button data-do="paperClose" data-table="${card.table}" class="main">${l("close")}</button>` : ""}
    ${card.phase === "paper" ? "" : offer("callTable")}${offer("extra")}${called ? "" : offer("rule")}${offer("leave")}
    ${there ? [offer("strike"), offer("putRight")] : ""}${mendKey}
    ${held && offers.has("replacePlayer") ? html`<button data-do="replacePlayer" data-table="${card.table}">${s("replace")}</button>` : ""}
    ${!held || !offers.has("replacePlayer") ? "" : courtOf(card.table) ? html`<button data-do="courtEnds" data-table="${card.table}" class="main">${s("court_ends")}</button>`
      : known()?.book.seating.court_section && card.released ? html`<button data-do="court" data-table="${card.table}">${s("court")}</button>` : ""}
    ${directs ? offer("timeUp", "danger") : ""}${directs && held && !["empty", "paper"].includes(card.phase) ? button("aside", "danger") : ""}</div>`;
}

// Two lists of one table, side by side: the direction says which one counts.
function rivalHtml(card) {
  if (!card.rival) return "";
  const { lists, differs, here } = card.rival;
  const points = list => list.players.map((name, i) => `${name} ${number(list.totals[i])}`).join(", ");
  const one = (kind, list) => html`<div><h3>${t(kind === "sent" ? "rival_sent" : "rival_stored")}</h3><ul class="state">
      <li>${points(list)}</li><li>${t("rival_games", { games: list.games, events: list.events })}</li>
      ${list.opened ? html`<li>${t("rival_opened", { time: timeText(list.opened) })}</li>` : ""}${list.last_at ? html`<li>${t("rival_last", { time: timeText(list.last_at) })}</li>` : ""}</ul>
    ${state.me.director ? html`<button data-do="decideRival" data-table="${card.table}" data-keep="${kind}" ?disabled=${kind === "stored" && !here}>${t(kind === "sent" ? "rival_keep_sent" : "rival_keep_stored")}</button>` : ""}</div>`;
  return html`<section class="panel wide rival"><h2>${t("conflict")}</h2><p>${t("rival_why", { number: differs + 1 })}</p>
    <div class="lists">${one("stored", lists.stored)}${one("sent", lists.sent)}</div></section>`;
}

// Decisions that the table has made without an order: the list goes on behind them.
function heldHtml(card) {
  if (!card.held) return "";
  const key = (stands, code, kind) => html`<button data-do="takeHeld" data-table="${card.table}" data-stands="${stands}" class="${kind}">${t(code)}</button>`;
  return html`<section class="panel wide held"><h2>${heldText(card.held)}</h2><p>${heldWhy(card.held)}</p>
    <ul class="feed">${card.held.decided.map(event => html`<li><time>${event.at ? timeText(event.at) : ""}</time><span>${eventText(event, card)}</span></li>`)}</ul>
    ${state.me.director ? html`<p class="buttons">${key(1, "held_take", "main")}${key("", "held_discard", "danger")}</p>` : ""}</section>`;
}

export function tableHtml() {
  const card = state.cards.get(state.table);
  const back = html`<a class="back" href="#/${state.round}">‹ ${t("back")}</a>`;
  if (!card) return html`<section class="table">${back}<h1>${t("table")} ${state.table}</h1><p class="quiet">${state.arrived ? t("unknown_table") : ""}</p></section>`;
  const sheet = state.sheet ?? { lists: {}, feed: [], seats: [] };
  const base = `/api/${encodeURIComponent(state.tournament)}/${state.round}/${card.table}`;
  const language = current();
  const order = [...needs(card)];
  return html`<section class="table">${back}
    <div class="title"><span class="number" aria-hidden="true">${card.table}</span>
      <div><h1>${t("table")} ${card.table}</h1><p>${card.title ?? ""}</p></div>
      <div class="state"><b>${phaseText(card)}</b><span>${progress(card)}</span>${card.clock?.extra > 0 ? html`<span>${t("with_extra", { time: clockText(card.clock.extra) })}</span>` : ""}</div>
      <span class="clock big" data-clock="${card.table}"></span>
      ${onPaper(card) || noDevice(card) ? "" : html`<span class="link ${card.connected ? "on" : "off"}"><span class="dot ${card.connected ? "on" : "off"}"></span>${card.connected ? t("connected") : card.since ? t("away_since", { time: timeText(card.since) }) : t("never")}</span>`}</div>
    ${order.length ? html`<ul class="needs wide">${order.map(([u, text]) => html`<li class="u${u}">${text}</li>`)}</ul>` : ""}
    ${card.conflict && !card.rival ? html`<p class="detail">${card.conflict}</p>` : ""}${card.trouble ? html`<p class="detail">${card.trouble}</p>` : ""}
    ${rivalHtml(card)}${heldHtml(card)}
    <div class="columns">
      <div class="panel wide"><h2>${sheet.lists[language]?.name ?? t("list")}</h2>${listHtml(card, sheet)}
        <p class="take">${t("take")}: <a href="${base}/list.pdf?language=${language}">${t("as_pdf")}</a> <a href="${base}/list.txt?language=${language}">${t("as_text")}</a> <a href="${base}/list.csv?language=${language}">${t("as_csv")}</a>
          <a href="${base}/list.json">${t("as_json")}</a> ${may("order") ? html`<a href="${base}/events.jsonl">${t("as_events")}</a>` : ""}</p></div>
      <div class="side">
        ${may("order") && !noDevice(card) || !state.me.name ? html`<div class="panel"><h2>${t("actions")}</h2>${actionsHtml(card, sheet)}</div>` : ""}
        ${paperHtml(card)}
        ${["empty", "over", "paper"].includes(card.phase) || onPaper(card) ? "" : html`<div class="panel"><h2>${t("on_table")}</h2>${gameHtml(card, sheet)}${seatsHtml(card, sheet)}
          ${running(card) && sheet.limits?.[language] ? html`<p class="quiet small limits">${t("limits")}: ${sheet.limits[language]}</p>` : ""}</div>`}
        ${sheet.offences?.length ? html`<div class="panel"><h2>${t("offences")}</h2><ul class="feed">${[...sheet.offences].reverse().slice(0, 8).map(one => html`<li>
          <time>${one.at ? timeText(one.at) : ""}</time><span><b>${say("reasons", one.code)}</b> – ${card.players[one.seat - 1]}<br><span class="quiet">${sectionText(one.section)}</span></span></li>`)}</ul></div>` : ""}
        ${card.phase === "paper" ? "" : html`<div class="panel"><h2>${t("last")}</h2><ul class="feed">${[...sheet.feed].reverse().slice(0, 14).map(event => html`<li class="ev-${event.event}">
          <time>${event.at ? timeText(event.at) : ""}</time><span>${eventText(event, card, sheet.bavarian, sheet.spoken)}</span></li>`)}</ul></div>`}
      </div>
    </div></section>`;
}
