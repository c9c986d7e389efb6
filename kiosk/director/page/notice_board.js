// What the direction puts up for everybody: announcements on the projector's page, and the club's sign.

import { sendFile } from "./actions.js";
import { repeat } from "./lit/directives/repeat.js";
import { state } from "./live.js";
import { known, note, noting, refusal, send, sendForm } from "./office.js";
import { html } from "./text.js";
import { say } from "./words.js";

const n = code => say("page_board", code);
const path = () => `/api/${encodeURIComponent(state.me.tournament)}`;

const signed = () => known().saved.sign ?? -1;

export function boardHtml() {
  const board = known()?.board;
  if (!board) return "";
  return html`<section class="panel board" aria-labelledby="board"><h2 id="board">${n("title")}</h2>
    ${board.announcements.length ? html`<ul>${repeat(board.announcements, one => one.number, one => html`<li>${one.text}
      <button type="button" data-do="takeDown" data-number="${one.number}" aria-label="${n("take_down")}: ${one.text}">${n("take_down")}</button></li>`)}</ul>` : ""}
    <div class="buttons"><button type="button" data-do="announce">${n("announce")}</button>
      <label class="file">${board.sign ? n("other_sign") : n("sign")} <input type="file" name="sign" accept="image/jpeg,image/png"></label>
      ${board.sign ? html`<button type="button" data-do="noSign">${n("no_sign")}</button>` : ""}
      <a href="/beamer" target="_blank" rel="noopener">${n("open")}</a></div></section>`;
}

async function announce() {
  await sendForm(html`<h2>${n("announce")}</h2><p>${n("announce_why")}</p>
    <label>${n("text")}<input name="text" maxlength="240" autocomplete="off" required></label>`, n("put_up"), "",
    data => noting({ note: "announcement", text: data.get("text") }), n("put_up_done"));
}

export const boardButtons = {
  announce,
  takeDown: element => send("undo", { number: Number(element.dataset.number), why: "" }, n("taken_down")),
  noSign: () => note({ note: "sign", picture: 0, based_on: signed() }, n("taken_down")),
};

export async function signChange(event) {
  if (event.target.name === "sign") await sendFile(`${path()}/sign?based_on=${signed()}`, event.target, n("put_up_done"), refusal);
}
