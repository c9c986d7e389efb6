// A copy of everything on a stick, once a minute; and on an empty machine: go on with what another one has saved.

import { ask, form, sendForm, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { loadMe, state } from "./live.js";
import { loader } from "./loaded.js";
import { html } from "./text.js";
import { failure, locale, say } from "./words.js";

const v = (code, fill) => say("page_saving", code, fill);
const LOOK_MS = 3000, COMES_BACK_MS = 20000;
const clock = ms => new Date(ms).toLocaleTimeString(locale(), { timeStyle: "short" });
const when = ms => new Date(ms).toLocaleString(locale(), { dateStyle: "short", timeStyle: "short" });

// What is wrong with the copies: the service's word → ours.
const WRONG = {
  gone: "gone", full: "full", one_copy: "one_copy", read_only: "read_only", format: "format", denied: "denied", busy: "busy", tools: "tools", failed: "failed",
};
const wrongText = saved => `${v(WRONG[saved.state] ?? "failed", { name: saved.name })} ${saved.at ? v("last", { time: clock(saved.at) }) : v("none_yet")}`;

const saving = loader(() => state.me.director ? "/api/saving" : "");
export const refreshSaving = () => saving.refresh();

async function choose(place) {
  try {
    const saved = await ask("POST", "/api/saving", { place });
    if (saved.state === "ok") toast(v("saved", { name: saved.name }));
  } catch (error) {
    toast(failure(error), true);
  }
  saving.refresh(true);
  loadMe().then(redraw, () => {});
}

const placeRow = (one, saved) => html`<tr><th scope="row">${one.name}</th><td>${v("gigabytes", { n: one.gigabytes })}</td>
  <td>${one.id === "" ? v("format", one) : one.id === saved.place ? v("chosen") : html`<button data-do="saveTo" data-place="${one.id}">${v("save_to")}</button>`}</td></tr>`;

export function savingHtml() {
  const saved = saving.held.data;
  if (!saved) return html`<p>${saving.held.failed}</p>`;
  if (!saved.possible) return html`<p>${v("of_server")}</p>${saved.restores ? restoring() : ""}`;
  const stand = saved.state === "none" ? html`<p>${v("nowhere")}</p>`
    : saved.state === "waiting" ? html`<p>${v("waiting", { name: saved.name })}</p>`
    : saved.state === "ok" ? html`<p>${v("stand", { name: saved.name, time: clock(saved.at), megabytes: saved.megabytes })}</p>`
    : html`<p class="bad" role="alert" title="${saved.detail}">${wrongText(saved)}</p>`;
  return html`${stand}<table class="access"><tbody>${saved.places.map(one => placeRow(one, saved))}</tbody></table>
    ${saved.places.length ? "" : html`<p class="note">${v("no_stick")}</p>`}
    ${saved.place ? html`<p class="row"><button data-do="saveNoMore">${v("no_more")}</button></p>` : ""}<p class="note">${v("like_a_key")}</p>
    ${restoring()}`;
}

// Among what is to do in the hall, for the director.
export const savingTodo = () => state.me.saving?.trouble ? html`<li class="u3"><a href="#/access"><b>${v("title")}</b> ${wrongText(state.me.saving)}</a></li>` : "";

// Another machine that is this direction, too.
export const rivalTodo = () => state.me.rival ? html`<li class="u3"><span><b>${v("rival")}</b> ${v(state.me.rival.newer ? "rival_newer" : "rival_older", { url: state.me.rival.url })}</span></li>` : "";

// on an empty machine

const offers = loader(() => state.me.first ? "/api/takeover" : "");
let going = false;
setInterval(() => { if (state.me.first && !going) offers.refresh(); }, LOOK_MS);

const offerHtml = one => html`<p><button class="main" data-do="takeOver" data-offer="${one.id}" data-title="${one.title}" data-at="${one.at}">
  ${v("take_over", { title: one.title, time: when(one.at), n: one.lists })}</button></p>`;

export function takeoverHtml() {
  if (going) return html`<p role="status">${v("going")}</p>`;
  return state.me.first ? html`${offers.held.data?.offers.map(offerHtml) ?? ""}${restoreField()}` : "";
}

async function takeOver(element) {
  const { offer, title, at } = element.dataset;
  const yes = await form(html`<h2>${v("sure", { title })}</h2><p>${v("sure_more", { time: when(Number(at)) })}</p>`, v("sure_yes"));
  if (!yes) return;
  going = true;
  redraw();
  try {
    await ask("POST", "/api/takeover", { offer }); // a large copy takes a while
  } catch (error) {
    going = false;
    redraw();
    toast(failure(error), true);
    return;
  }
  const until = performance.now() + COMES_BACK_MS;
  while (state.me.first && performance.now() < until) {
    await new Promise(done => setTimeout(done, 500));
    await loadMe().catch(() => {});
  }
  location.reload(); // its certificate is that of the machine before: a browser may have to be asked again
}

// a backup that is uploaded

export async function restoreChange(event) {
  if (event.target.name !== "backup") return;
  const [file] = event.target.files;
  event.target.value = "";
  if (file) await restore(file);
}

const holds = one => v("holds", { title: one.title, time: one.at ? when(one.at) : "–", lists: one.lists, accounts: one.accounts, devices: one.devices });

async function restore(file) {
  let code = "";
  if (state.me.first) {
    const data = await form(html`<h2>${v("restore")}</h2><p>${v("restore_code")}</p>
      <label>${say("page_access", "code")}<input name="code" inputmode="numeric" autocomplete="one-time-code" required></label>`, v("restore_look"));
    if (!data) return;
    code = data.get("code");
  }
  toast(v("looking", { name: file.name }));
  try {
    const answer = await fetch("/api/restore", { method: "POST", headers: { "Content-Type": "application/octet-stream", ...code ? { "Stichwart-Code": code } : {} }, body: file });
    const told = await answer.json();
    if (!answer.ok) throw Object.assign(new Error(told.message), { code: told.code ?? told.error, values: told.values });
    await confirmRestore(told, code);
  } catch (error) {
    toast(failure(error), true);
  }
}

async function confirmRestore(told, code) {
  let said = false;
  await sendForm(html`<h2>${v("restore_ask")}</h2><p><b>${v("in_backup")}</b> ${holds(told.holds)}</p>
    ${told.replaces ? html`<p class="warn"><b>${v("replaced")}</b> ${holds(told.replaces)}</p><p>${v("put_by")}</p>
      <label>${say("page_access", "password")}<input name="password" type="password" autocomplete="current-password" required></label>` : html`<p>${v("restore_empty")}</p>`}`,
  v("restore_yes"), told.replaces ? "danger" : "", async data => {
    await ask("POST", "/api/restore/yes", { id: told.id, code, password: data.get("password") ?? "" });
    said = true;
  }, failure);
  if (!said) return;
  going = true;
  redraw();
  await new Promise(done => setTimeout(done, 3000));
  for (const until = performance.now() + COMES_BACK_MS; performance.now() < until;) {
    if (await fetch("/health", { cache: "no-store" }).then(answer => answer.ok, () => false)) break;
    await new Promise(done => setTimeout(done, 500));
  }
  location.reload();
}

const restoring = () => going ? html`<p role="status">${v("going")}</p>` : restoreField();

const restoreField = () => html`<p class="row"><label class="file">${v("restore")} <input type="file" name="backup" accept=".zip"></label></p>`;

export const savingButtons = { takeOver, saveTo: element => choose(element.dataset.place), saveNoMore: () => choose("") };
