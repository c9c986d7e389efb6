// A club's own book tried on simulated games: how far it is, and what came of it.

import { toast } from "./actions.js";
import { redraw } from "./draw.js";
import { p } from "./own_fields.js";
import { refusal } from "./office.js";
import { html } from "./text.js";
import { current } from "./words.js";

const GAMES = 1000;
let trial = null; // { text: what is tried, games, waiting, rows, stop }

async function said(answer, mine) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "", last = {};
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return last;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      last = JSON.parse(line);
      Object.assign(mine, { waiting: Boolean(last.waiting), games: last.games ?? mine.games });
      redraw();
    }
  }
}

// Trying is given up by the service as soon as nobody listens any more.
export async function tryBook({ name, content }) {
  if (trial && !trial.rows) return;
  const mine = trial = { text: JSON.stringify(content), games: 0, waiting: false, rows: null, stop: new AbortController() };
  redraw();
  try {
    const answer = await fetch(`/api/books/try?language=${current()}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, content }), signal: mine.stop.signal });
    if (!answer.ok) {
      const { message, code, error, values } = await answer.json();
      throw Object.assign(new Error(message), { code: code ?? error, values });
    }
    const { rows, refused } = await said(answer, mine);
    if (!rows) throw new Error(refused ?? p("trial_failed"));
    mine.rows = rows;
  } catch (error) {
    if (trial === mine) trial = null;
    if (error.name !== "AbortError") toast(error.code ? refusal(error) : error.message, true);
  }
  redraw();
}

export function stopTrial() {
  trial?.stop.abort();
  trial = null;
  redraw();
}

const tableHtml = ([head, ...rows]) => html`<div class="wide"><table class="trial"><thead><tr>${head.map((cell, i) => i ? html`<td>${cell}</td>` : html`<th scope="col">${cell}</th>`)}</tr></thead>
  <tbody>${rows.map(row => html`<tr>${row.map((cell, i) => i ? html`<td>${cell}</td>` : html`<th scope="row">${cell}</th>`)}</tr>`)}</tbody></table></div>`;

export function trialHtml(draft, playable) {
  const running = trial && !trial.rows;
  return html`<section class="panel" id="own-trial"><h2>${p("try")}</h2><p class="note">${p("try_why", { n: GAMES })}</p>
    <p class="row"><button data-do="tryOwn" ?disabled=${running || !playable}>${p("try_now")}</button>${running ? html`<button data-do="stopTrial">${p("stop")}</button>` : ""}</p>
    ${running ? html`<p role="status">${trial.waiting ? p("trial_waits") : p("trial_runs", { games: trial.games, of: GAMES })} <progress max="${GAMES}" value="${trial.games}" aria-label="${p("try")}"></progress></p>` : ""}
    ${trial?.rows ? html`${trial.text !== JSON.stringify(draft.content) ? html`<p class="warn">${p("trial_old")}</p>` : ""}${trial.rows.map(tableHtml)}` : ""}</section>`;
}
