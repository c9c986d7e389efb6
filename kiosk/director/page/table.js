// One table's page: its list as on paper, what lies on the table, what happened last, and the director's buttons.

import { needs, orderName, phaseText, progress } from "./hall.js";
import { state } from "./live.js";
import { cardFace, cardText, clockText, html, sectionText, suitSign, timeText } from "./text.js";
import { code, inner, t } from "./words.js";

function kindText(row, card) {
  const words = [code("games", row.kind)];
  if (row.suit) words.push(suitSign(row.suit));
  if (row.duty) words.push(`(${t("duty_short")})`);
  return words.join(" ") + (row.declarer ? ` · ${card.players[row.declarer - 1]}` : "");
}

function listHtml(card, sheet) {
  const head = html`<tr><th class="n"><span class="long">${t("game")}</span><span class="short">${t("number_short")}</span></th>${card.players.map(name => html`<th class="p">${name}</th>`)}
    <th class="n"><span class="long">${t("points")}</span><span class="short">${t("points_short")}</span></th><th class="k">${t("kind")}</th></tr>`;
  const rows = sheet.rows.map(row => html`<tr class="${row.void ? "void" : ""} ${row.open ? "open" : ""}" data-game="${row.game}">
    <th class="n">${row.game}</th>
    ${row.total.map((total, i) => html`<td class="p ${row.score[i] ? "scored" : ""}">
      ${row.alone === i + 1 ? html`<span class="mark solo" title="${t("solo_mark")}">S</span>` : ""}
      ${row.dealer === i + 1 ? html`<span class="mark dealer" title="${t("dealer_mark")}">G</span>` : ""}<span>${total}</span></td>`)}
    <td class="n">${row.points}</td>
    <td class="k">${row.kind === "normal" ? html`<span class="quiet">${kindText(row, card)}</span>` : kindText(row, card)}
      ${row.open ? html`<span class="tag">${t("open")}</span>` : ""}${row.void ? html`<span class="tag">${t("void")}</span>` : ""}</td></tr>`);
  const running = !["empty", "waiting", "over", "scored"].includes(card.phase)
    ? html`<tr class="running"><th class="n">${card.game}</th>
      ${card.players.map((_, i) => html`<td class="p">${card.dealer === i + 1 ? html`<span class="mark dealer" title="${t("dealer_mark")}">G</span>` : ""}</td>`)}
      <td class="n"></td><td class="k">${card.kind && card.kind !== "normal" ? code("games", card.kind) + " · " : ""}${t("running")}${card.trick && card.phase === "playing" ? ` · ${t("trick", card.trick)}` : ""}</td></tr>` : "";
  return html`<div class="scroll"><table class="list"><thead>${head}</thead><tbody>${rows}${running}</tbody></table></div>
    ${!sheet.rows.length && !running ? html`<p class="quiet">${t("not_begun")}</p>` : ""}
    <p class="legend"><span class="mark dealer">G</span> ${t("dealer_mark")} <span class="mark solo">S</span> ${t("solo_mark")}
      <span class="mark duty">P</span> ${t("duty_mark")}</p>`;
}

function seatsHtml(card, sheet) {
  return html`<ul class="seats">${sheet.seats.map(seat => {
    const laid = (sheet.open_trick ?? []).find(one => one.seat === seat.seat);
    const playing = !["empty", "waiting", "over", "scored"].includes(card.phase);
    return html`<li class="${seat.turn ? "turn" : ""}"><span class="who">${seat.name}
        ${seat.dealer ? html`<span class="mark dealer" title="${t("dealer_mark")}">G</span>` : ""}
        ${seat.duty_open ? html`<span class="mark duty" title="${t("duty_mark")}">P</span>` : ""}</span>
      <span class="said">${seat.answer === "vorbehalt" ? code("calls", "vorbehalt") : ""}
        ${seat.said.map(call => html`<b class="call">${code("calls", call)}</b>`)}</span>
      <span class="laid">${laid ? (laid.card ? cardFace(laid.card, laid.doubt) : t("face_down")) : ""}</span>
      <span class="quiet small">${!playing ? "" : seat.sits_out ? t("sits_out") : `${t("cards", seat.cards_left)} · ${t("tricks", seat.tricks_won)}`}</span></li>`;
  })}</ul>`;
}

function eventText(event, card) {
  const who = event.seat ? `${card.players[event.seat - 1] ?? event.seat}: ` : "";
  const e = (key, ...fill) => inner("events", key, ...fill);
  switch (event.event) {
    case "call": return who + code("calls", event.call);
    case "announce": return who + code("calls", event.call) + (event.side ? ` (${code("calls", event.side)})` : "");
    case "declare": return who + code("games", event.game) + (event.duty ? ` (${t("duty_short")})` : "");
    case "leave": return who + e(event.granted ? "leave_yes" : "leave_no");
    case "retract": return who + e("retract", event.card ? cardText(event.card) : "");
    case "claim": return who + e(event.kind === "concede" ? "claim_concede" : "claim_rest");
    case "object": return who + e("object") + (event.code ? `: ${code("reasons", event.code)}` : "")
      + (event.against ? ` – ${card.players[event.against - 1]}` : "");
    case "rule": if (event.class === "none" && event.minutes) return e("extra", event.minutes) + (event.why ? ` (${event.why})` : "");
      return e("rule") + `: ${t("classes")[event.class] ?? event.class}`
      + (event.offender ? ` – ${card.players[event.offender - 1]}` : "") + (event.minutes ? `, ${e("extra", event.minutes)}` : "")
      + (event.why ? ` (${event.why})` : "");
    case "correct": return e("correct", event.card ? cardText(event.card) : e("no_card"));
    case "strike": return e("strike", event.game);
    case "sign": return who.replace(": ", " ") + e("sign");
    default: return who + (e(event.event) ?? event.event);
  }
}

function actionsHtml(card) {
  if (!state.me.director) {
    return html`<button data-do="logIn" class="main">${t("login")}</button><p class="quiet">${t("pin_why")}</p>`;
  }
  const button = (what, kind = "") => html`<button data-do="${what}" data-table="${card.table}" class="${kind}">${t({ release: "release", timeUp: "time_up", extra: "extra", callTable: "call", rule: "rule", clearCall: "clear_call", leave: "leave", strike: "strike", aside: "aside" }[what])}</button>`;
  const called = card.phase === "resting";
  return html`<div class="buttons">
    ${called ? [button("rule", "main"), button("clearCall")] : ""}
    ${!card.released ? button("release", "main") : ""}
    ${button("extra")}${button("callTable")}${called ? "" : button("rule")}
    ${card.rules === "schaffkopf" ? button("leave") : ""}${card.phase === "empty" ? "" : button("strike")}
    ${card.released && !card.time_up ? button("timeUp", "danger") : ""}${button("aside", "danger")}</div>`;
}

export function tableHtml() {
  const card = state.cards.get(state.table);
  const back = html`<a class="back" href="#/${state.round}">‹ ${t("back")}</a>`;
  if (!card) return html`<section class="table">${back}<p class="quiet">${state.arrived ? t("unknown_table") : ""}</p></section>`;
  const sheet = state.sheet ?? { rows: [], feed: [], seats: [] };
  const base = `/api/${encodeURIComponent(state.tournament)}/${state.round}/${card.table}`;
  const language = document.documentElement.lang;
  const order = [...needs(card)];
  return html`<section class="table">${back}
    <div class="title"><span class="number">${card.table}</span>
      <div><h1>${t("table")} ${card.table}</h1><p>${card.title ?? ""}</p></div>
      <div class="state"><b>${phaseText(card)}</b><span>${progress(card)}</span>${card.clock?.extra > 0 ? html`<span>${t("with_extra", clockText(card.clock.extra))}</span>` : ""}</div>
      <span class="clock big" data-clock="${card.table}"></span>
      <span class="link ${card.connected ? "on" : "off"}"><span class="dot ${card.connected ? "on" : "off"}"></span>${card.connected ? t("connected") : t("away_since", timeText(card.since))}</span></div>
    ${order.length ? html`<ul class="needs wide">${order.map(([u, text]) => html`<li class="u${u}">${text}</li>`)}</ul>` : ""}
    ${card.conflict ? html`<p class="detail">${card.conflict}</p>` : ""}${card.trouble ? html`<p class="detail">${card.trouble}</p>` : ""}
    <div class="columns">
      <div class="panel wide"><h2>${t("list")}</h2>${listHtml(card, sheet)}
        <p class="take">${t("take")}: <a href="${base}/list.txt?language=${language}">${t("as_text")}</a> <a href="${base}/list.csv?language=${language}">${t("as_csv")}</a>
          <a href="${base}/list.json">${t("as_json")}</a> ${state.me.director ? html`<a href="${base}/events.jsonl">${t("as_events")}</a>` : ""}</p></div>
      <div class="side">
        <div class="panel"><h2>${t("actions")}</h2>${actionsHtml(card)}</div>
        ${["empty", "over"].includes(card.phase) ? "" : html`<div class="panel"><h2>${t("on_table")}</h2>${seatsHtml(card, sheet)}</div>`}
        ${sheet.offences?.length ? html`<div class="panel"><h2>${t("offences")}</h2><ul class="feed">${[...sheet.offences].reverse().slice(0, 8).map(one => html`<li>
          <time>${one.at ? timeText(one.at) : ""}</time><span><b>${code("reasons", one.code)}</b> – ${card.players[one.seat - 1]}<br><span class="quiet">${sectionText(one.section)}</span></span></li>`)}</ul></div>` : ""}
        <div class="panel"><h2>${t("last")}</h2><ul class="feed">${[...sheet.feed].reverse().slice(0, 14).map(event => html`<li class="ev-${event.event}">
          <time>${event.at ? timeText(event.at) : ""}</time><span>${eventText(event, card)}</span></li>`)}</ul></div>
      </div>
    </div></section>`;
}
