// The direction's own Wi-Fi network, for a hall that has none.

import { ask, form, toast } from "./actions.js";
import { loader } from "./loaded.js";
import { state } from "./live.js";
import { html } from "./text.js";
import { current, failure, say } from "./words.js";

const n = (code, fill) => say("page_network", code, fill);
const network = loader(() => state.me.director ? "/api/network" : "");
export const refreshNetwork = () => network.refresh();

export function networkHtml() {
  const own = network.held.data;
  if (!own) return html`<p>${network.held.failed}</p>`;
  if (!own.possible) return html`<p>${n("not_here")}</p>`;
  const wrong = own.wrong ? html`<p class="bad" role="alert" title="${own.detail}">${n("wrong")}</p>` : "";
  if (own.doing) return html`<p role="status">${n(own.doing === "opening" ? "opening" : "closing", own)}</p>`;
  if (!own.on) return html`${wrong}<p>${n(own.joined ? "in_hall" : "alone")}</p><p class="row"><button data-do="openNetwork" data-joined="${own.joined ? 1 : ""}">${n("open")}</button></p>`;
  return html`${wrong}<p>${n("on", own)}</p><p><img src="/api/network/code.svg" alt="${n("code")}" width="180" height="180"></p>
    <p>${n("name")}: <b>${own.name}</b> · ${n("password")}: <b>${own.password}</b> · ${n("address")}: <b>${own.address}</b></p>
    <p class="row"><a href="/api/network/card.pdf?language=${current()}" target="_blank">${n("print")}</a><button data-do="closeNetwork">${n("close")}</button></p>`;
}

async function turn(on, question) {
  const yes = await form(html`<h2>${n(on ? "open" : "close")}</h2><p>${n(question, network.held.data)}</p>`, n(on ? "open" : "close"));
  if (!yes) return;
  try {
    await ask("POST", "/api/network", { on });
  } catch (error) {
    toast(failure(error), true);
  }
  network.refresh(true);
  for (const wait of [2000, 5000, 10000, 20000]) setTimeout(() => network.refresh(true), wait);
}

export const networkButtons = {
  openNetwork: element => turn(true, element.dataset.joined ? "ask_open_joined" : "ask_open"), closeNetwork: () => turn(false, "ask_close"),
};
