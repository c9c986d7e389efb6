// The programme of the evening to be read, and how far each round is.

import { state } from "./live.js";
import { html } from "./text.js";
import { say, t } from "./words.js";

const p = (code, fill) => say("page_draws", code, fill);

// How far a round is: what the tables have, and what they do.
export function stateOf(setup, number) {
  const plan = setup.plans[number], cards = number === state.round ? [...state.cards.values()].filter(card => card.events || card.paper || card.planned?.length) : [];
  if (number < state.me.now || (cards.length && cards.every(card => card.closed))) return "over";
  if (cards.some(card => card.released)) return "runs";
  if (!plan) return "planned";
  return plan.published ? "sent" : "drawn";
}

// The programme to be read, by everybody.
export const overviewHtml = setup => html`<ol class="programme">${Array.from({ length: setup.rounds }, (_, i) => i + 1).map(number => {
  const one = setup.by_round[number];
  const details = [`${p("kind")}: ${p(`kind_${one.kind}`)}`, one.rules ? one.title : "", one.games ? p("n_games", { n: one.games }) : "", one.minutes ? p("n_minutes", { n: one.minutes }) : "", one.pause ? p("after_pause", { n: one.pause }) : ""];
  return html`<li><b>${t("round")} ${number}</b>${one.start ? html` <time>${one.start}</time>` : ""} <span class="tag">${p(`state_${stateOf(setup, number)}`)}</span>
    <span class="details quiet">${details.filter(Boolean).join(" · ")}</span></li>`;
})}</ol>`;
