// The service's date and time beside the browser's: where nobody keeps it over a network, a press sets it.

import { ask, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { loadMe, state } from "./live.js";
import { html } from "./text.js";
import { failure, locale, say } from "./words.js";

const w = (code, fill) => say("page_time", code, fill);
const OFF_MS = 5000;
const shown = ms => new Date(ms).toLocaleString(locale(), { dateStyle: "short", timeStyle: "medium" });

// By how much the service's clock is ahead of this browser's (ms); 0 where nobody would notice.
function ahead() {
  const off = (state.me.time ?? 0) - (state.meAt ?? 0);
  return state.me.time && Math.abs(off) > OFF_MS ? off : 0;
}
const offText = () => w("off", { service: shown(Date.now() + ahead()), browser: shown(Date.now()) });

export const timeTodo = () => ahead() ? html`<li class="u2"><a href="#/access"><b>${w("title")}</b> ${offText()}</a></li>` : "";

export const timeHtml = () => ahead()
  ? html`<p class="bad">${offText()}</p><p class="row"><button data-do="setTime" class="main">${w("set")}</button></p><p class="note">${w("why")}</p>`
  : html`<p>${w("same")}</p>`;

async function setTime() {
  try {
    await ask("POST", "/api/time", { time: Date.now() });
    toast(w("done"));
  } catch (error) {
    toast(failure(error), true);
  }
  await loadMe().catch(() => {});
  redraw();
}

export const timeButtons = { setTime };
