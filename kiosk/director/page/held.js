// What tables have decided without an order that the direction has: of all rounds, taken by one press.

import { ask, form, toast } from "./actions.js";
import { loader } from "./loaded.js";
import { state } from "./live.js";
import { html, timeText } from "./text.js";
import { eventText } from "./told.js";
import { failure, t } from "./words.js";

const path = () => `/api/${encodeURIComponent(state.tournament)}/held`;
const { held, refresh } = loader(() => state.me.director && state.tournament === state.me.tournament && path());
let seen = null;

// Asks again when something waits, or no longer does; state.held counts that.
function look() {
  const now = `${state.tournament} ${state.held} ${state.me.director}`;
  if (state.held && now !== seen) refresh(seen !== null);
  seen = now;
}

// Of an order that is gone, or of none at all.
export const heldText = one => t(one.decided.every(event => event.ordered) ? "held_lost" : "held", { n: one.decided.length });
export const heldWhy = one => t(one.decided.every(event => event.ordered) ? "held_lost_why" : "held_why", { events: one.events });

export function heldHtml() {
  look();
  const waiting = state.me.director && held.data || [];
  const elsewhere = waiting.filter(one => one.round !== state.round);
  if (!waiting.length) return "";
  return html`${elsewhere.map(one => html`<li class="u3"><a href="#/${one.round}/${one.table}"><b>${t("round")} ${one.round}, ${t("table")} ${one.table}</b> ${heldText(one)}</a></li>`)}
    ${waiting.length > 1 || elsewhere.length ? html`<li class="u3 all"><button data-do="takeAllHeld">${t("held_all", { n: waiting.length })}</button></li>` : ""}`;
}

async function takeAllHeld() {
  const lists = held.data ?? [];
  const yes = await form(html`<h2>${t("held_all", { n: lists.length })}</h2><p>${t("held_all_more")}</p>
    <ul class="feed">${lists.flatMap(one => one.decided.map(event => html`<li><time>${event.at ? timeText(event.at) : ""}</time>
      <span><b>${t("round")} ${one.round}, ${t("table")} ${one.table}</b> ${eventText(event, one)}</span></li>`))}</ul>`, t("held_take"));
  if (!yes) return;
  try {
    const { taken } = await ask("POST", path(), { lists: lists.map(({ round, table, last }) => ({ round, table, last })) });
    toast(taken === lists.length ? t("done_held") : t("held_some", { taken, n: lists.length }), taken < lists.length);
  } catch (error) {
    toast(failure(error), true);
  }
  refresh(true);
}

export const heldButtons = { takeAllHeld };
