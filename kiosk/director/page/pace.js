// How fast tables play: who has laid no card for long, who is behind the others, how long a game takes.

import { known, noting } from "./office.js";
import { state } from "./live.js";
import { wholeForm } from "./overtaken.js";
import { html } from "./text.js";
import { locale, say, t } from "./words.js";

const w = (code, fill) => say("page_pace", code, fill);
const STILL = ["empty", "waiting", "over", "paper"];
const plays = card => card.released && !card.closed && !card.paused && !STILL.includes(card.phase);

// Whole minutes for which nothing has happened at a table that plays; 0: fewer than the direction wants to hear of.
export function quiet(card) {
  const limit = known()?.watch.quiet;
  if (!limit || !plays(card) || !card.last_at || card.objection) return 0;
  const minutes = Math.floor((card.now - card.last_at + performance.now() - card.arrived) / 60000);
  return minutes >= limit ? minutes : 0;
}

export const quietText = minutes => w("quiet", { n: minutes });

const median = numbers => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

// Tables that are so many games behind the middle of all that play.
export function behind(cards) {
  const limit = known()?.watch.behind, playing = cards.filter(card => plays(card) && card.games_done !== undefined);
  const middle = median(playing.map(card => card.games_done));
  return limit ? playing.filter(card => middle - card.games_done >= limit).map(card => ({ u: 2, table: card.table, text: w("behind", { n: middle - card.games_done }) })) : [];
}

const minutes = ms => (ms / 60000).toLocaleString(locale(), { maximumFractionDigits: 1, minimumFractionDigits: 1 });
export const gameText = card => card.game_ms ? w("a_game", { n: minutes(card.game_ms) }) : "";

// The middle of all tables and the slowest one, for the hall's line of figures.
export function paceHtml(cards) {
  const timed = cards.filter(card => card.game_ms);
  if (timed.length < 2) return "";
  const slowest = timed.reduce((one, other) => other.game_ms > one.game_ms ? other : one);
  return html`<span>${w("middle", { n: minutes(median(timed.map(card => card.game_ms))), slowest: minutes(slowest.game_ms), table: slowest.table })}</span>`;
}

export async function setWatch() {
  await wholeForm({
    stored: () => ({ ...known().watch, saved: known().saved.watch ?? -1 }),
    head: html`<h2>${w("watch")}</h2><p>${w("watch_why")}</p>`,
    fields: one => html`<label>${w("quiet_after")}<input name="quiet" type="number" inputmode="numeric" min="0" max="240" value="${one.quiet}"></label>
      <label>${w("behind_by")}<input name="behind" type="number" inputmode="numeric" min="0" max="99" value="${one.behind}"></label>`,
    yes: t("send"),
    send: (data, over) => noting({ note: "watch", quiet: Number(data.get("quiet")), behind: Number(data.get("behind")), based_on: over.saved }),
  });
}

export const watchHtml = () => state.me.director && known() ? html`<button data-do="setWatch" class="slim">${w("watch")}</button>` : "";
