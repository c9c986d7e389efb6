// People entered: names written line by line, or a list from a file or pasted, which is looked at before it counts.

import { toast } from "./actions.js";
import { act, did, namesText, p } from "./desk.js";
import { redraw } from "./draw.js";
import { may, state } from "./live.js";
import { known, refusal, whenAnother } from "./office.js";
import { html } from "./text.js";
import { list, s, say } from "./words.js";
import { repeat } from "./lit/directives/repeat.js";

let open = null;  // whether the form is open: at first where nobody is entered yet
let looked = null;  // the list that is looked at: content, name, what the service made of it, what was chosen, lines ticked
let asked = 0;
whenAnother(() => { open = looked = null; });

function turn(event) {
  event.preventDefault();
  open = !open;
  redraw();
}

export function addHtml() {
  if (open === null && known()) open = !known().people.length;
  return html`<details class="add" ?open=${open ?? false} ?hidden=${!may("enter")}><summary @click=${turn}>${p("add")}</summary>
    <form id="add-form" class="fields" ?hidden=${!may("enter")}><label class="grow">${s("add_names")}<textarea name="names" rows="3"></textarea></label>
    <span class="stack"><label class="check"><input type="checkbox" name="substitute"> ${s("as_substitute")}</label>
    <label class="check"><input type="checkbox" name="here"> ${s("here_now")}</label>
    <button type="button" data-do="addPeople" class="main">${s("add")}</button></span>
    <p class="wide"><label class="file">${p("file")} <input type="file" id="people-file" accept=".csv,.txt,.tsv,.xlsx,.xls,.ods,text/csv" @change=${chooseFile}></label></p>
    <p class="small quiet wide">${p("file_why")}</p></form></details>`;
}

// Several columns, or "last name, first name": such a text is looked at first.
const isTable = text => /[\t,|]/.test(text) || /;[^]*\n\s*\S/.test(text);

async function addPeople() {
  const adding = document.getElementById("add-form"), written = adding.elements.names.value;
  if (isTable(written)) {
    await look({ content: new Blob([written], { type: "text/plain" }), name: p("pasted") });
    return;
  }
  const names = written.split(/[\n;]+/).map(name => name.trim()).filter(Boolean);
  const body = { note: "enter", names, substitute: adding.elements.substitute.checked, here: adding.elements.here.checked };
  if (await act(body, p("entered", { names: namesText(names) })) && adding.elements.names.value === written) {  // else the next ones are being written already
    adding.reset();
    adding.elements.names.focus();
  }
}

async function chooseFile(event) {
  const file = event.target.files[0];
  // The bytes are kept: what counts is what was looked at, whatever becomes of the file.
  if (file) await look({ content: new Blob([await file.arrayBuffer()]), name: file.name });
  event.target.value = "";
}

const query = chosen => new URLSearchParams(Object.fromEntries(Object.entries(chosen).filter(([, value]) => value))).toString();

async function post(path, chosen, content) {
  const where = `/api/${encodeURIComponent(state.me.tournament)}/people/${path}?${query(chosen)}`;
  const answer = await fetch(where, { method: "POST", body: content }).catch(() => { throw new Error(say("page", "unreachable")); });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(said.message ?? `HTTP ${answer.status}`), { code: said.code ?? said.error, values: said.values });
  return said;
}

async function look({ content, name, chosen = {}, ticked = new Set() }) {
  const mine = ++asked;  // an answer that a later one has overtaken is old
  try {
    const told = await post("preview", chosen, content);
    if (mine !== asked) return;
    looked = { content, name, chosen, ticked, told };
    redraw();
    document.getElementById("preview")?.scrollIntoView({ block: "nearest" });
  } catch (error) {
    toast(refusal(error), true);
  }
}

const again = change => look({ ...looked, chosen: { ...looked.chosen, ...change } });

// A column takes another one's meaning: that one gets the meaning it had itself.
function chooseUse(event) {
  const { columns, headed } = looked.told, column = columns[Number(event.target.dataset.column)], use = event.target.value;
  const other = use && columns.find(one => one !== column && one.use === use);
  if (other) other.use = column.use;
  column.use = use;
  again({ uses: columns.map(one => one.use).join(",") || ",", headed: headed ? "1" : "0" });
}

function tick(event) {
  looked.ticked[event.target.checked ? "add" : "delete"](Number(event.target.dataset.line));
  redraw();
}

async function takeList() {
  const { told, chosen, ticked, content } = looked;
  try {
    const said = await post("import", { ...chosen, stamp: told.stamp, take: [...ticked].join(",") }, content);
    looked = null;
    open = false;
    document.getElementById("add-form")?.reset();
    did(said, p("imported", { n: said.people }));
  } catch (error) {
    toast(refusal(error), true);
    if (error.code === "list_changed") await look(looked);
  }
}

// What is looked at

const of = what => looked.told.lines.filter(one => one.what === what);
const details = one => list([one.club, one.number === null ? "" : p("number_short", { number: one.number }), one.paid ? p("paid_short") : "", one.substitute ? s("substitute") : ""].filter(Boolean));
const place = one => html`<span class="quiet small">${p("line", { line: one.line })}</span>`;

function doubtText({ code, values }) {
  const same = code.startsWith("namesake") && !values.other ? "_same" : "";
  return p(`doubt_${code}${same}`, values);
}

const lineHtml = one => html`<li data-line="${one.line}">${place(one)} <b>${one.name}</b> ${details(one)}${one.known && one.known !== one.name ? html` <span class="quiet">${p("known_as", { name: one.known })}</span>` : ""}
  ${one.doubts.map(doubt => html`<span class="warn small">${doubtText(doubt)}</span> `)}</li>`;

const doubtHtml = one => html`<li data-line="${one.line}" class="doubt"><label class="check">${one.possible ? html`<input type="checkbox" data-line="${one.line}" .checked=${looked.ticked.has(one.line)} aria-label="${p("take_line", { line: one.line })}" @change=${tick}>` : html`<span class="never" aria-hidden="true">✕</span>`}
  <span>${place(one)} <b>${one.name || "–"}</b> ${details(one)} ${one.doubts.map(doubt => html`<span class="warn small">${doubtText(doubt)}</span> `)}</span></label></li>`;

const groupHtml = (code, lines, one, isOpen) => !lines.length ? "" : html`<details class="${code}" ?open=${isOpen}><summary>${p(code, { n: lines.length })}</summary><ul>${repeat(lines, line => line.line, one)}</ul></details>`;

function columnsHtml(told) {
  return html`<div class="columns-of">${told.columns.map((column, i) => html`<label>${column.head || p("column", { n: i + 1 })}
    <select data-column="${i}" @change=${chooseUse}>${told.uses.map(use => html`<option value="${use}" ?selected=${use === column.use}>${p(`use_${use || "none"}`)}</option>`)}</select>
    <span class="quiet small">${column.sample}</span></label>`)}</div>
    <label class="check"><input type="checkbox" .checked=${told.headed} @change=${event => again({ headed: event.target.checked ? "1" : "0" })}> ${p("headed")}</label>`;
}

export function previewHtml() {
  if (!looked || !may("enter")) return "";
  const { told, name, ticked } = looked, doubts = of("doubt");
  const n = of("new").length + of("more").length + doubts.filter(one => one.possible && ticked.has(one.line)).length;
  return html`<div id="preview"><h2>${p("preview", { name })}</h2>
    ${told.sheets.length > 1 ? html`<label class="sheet">${p("sheet")}<select @change=${event => look({ ...looked, chosen: { sheet: event.target.value } })}>${told.sheets.map(sheet => html`<option ?selected=${sheet === told.sheet}>${sheet}</option>`)}</select></label>` : ""}
    ${columnsHtml(told)}${groupHtml("n_doubt", doubts, doubtHtml, true)}${groupHtml("n_new", of("new"), lineHtml, true)}${groupHtml("n_more", of("more"), lineHtml, true)}${groupHtml("n_same", of("same"), lineHtml, false)}
    <p class="row bulk"><button data-do="takeList" class="main" ?disabled=${!n}>${p("take", { n })}</button><button data-do="dropList">${p("drop")}</button></p></div>`;
}

export const takeInButtons = { addPeople, takeList, dropList: () => { looked = null; redraw(); } };
