// The tournament as the service has it noted: loaded when something was noted, changed by notes.

import { ask, sendForm as sendIt, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { loadMe, state, watch } from "./live.js";
import { timeText } from "./text.js";
import { current, failure, has, joined, s, say } from "./words.js";

let setup = null, shownFor = "", asked = 0, loaded = () => {};
export const known = () => setup;

// What the view of the book does with what was loaded, and what the views forget when another tournament begins.
export const whenLoaded = call => { loaded = call; };
const forgetters = [];
export const whenAnother = call => forgetters.push(call);
export const forgetAll = () => forgetters.forEach(forget => forget());

// Loads it if something was noted since, or in another language; `now`: in any case.
export async function loadSetup(now = false) {
  const wanted = `${state.noted} ${current()} ${state.me.director}`;
  if (wanted === shownFor && !now) return;
  shownFor = wanted;
  const mine = ++asked;  // an answer that a later one has overtaken is old
  try {
    if (state.noted && !state.noted.endsWith(` ${state.me.tournament}`)) await nextTournament();
    const answer = await fetch(`${base()}/setup?language=${current()}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(answer.status);
    const told = await answer.json();
    if (mine !== asked) return;
    const other = setup && setup.rounds !== told.rounds;
    setup = told;
    loaded(setup);
    if (other) await loadMe();
    redraw();
  } catch {
    if (mine === asked) shownFor = "";
  }
}

// Another tournament is held from now on: whoever looked at the one before goes along.
async function nextTournament() {
  const before = state.me.tournament;
  await loadMe();
  if (before === state.me.tournament) return;
  forgetAll();
  if (state.tournament === before) watch(state.me.tournament, state.me.now, null);
}

const base = () => `/api/${encodeURIComponent(state.me.tournament)}`;

export const send = (path, body, done) => sendTo(`${base()}/${path}`, body, done);

// The same to any address: lists of a tournament that is over are put right as well.
export async function sendTo(address, body, done) {
  try {
    const said = await ask("POST", address, body);
    if (done) toast(typeof done === "function" ? done(said) : done);
    return said;
  } catch (error) {
    toast(refusal(error), true);
    return null;
  }
}

// What the service refused, in the page's language where it has the words.
export function refusal({ code, values = {}, message }) {
  if (code === "no_seating") return impossibleText(values.people, values.substitutes, { missing: values.missing, surplus: values.surplus, fives_would_do: values.fives });
  if (code === "overtaken") return say("page_errors", code, { name: values.name || say("page_saved", "somebody"), time: timeText(values.at) });
  if (!has("page_errors", code)) return failure({ code, values, message });
  return say("page_errors", code, { ...values, told: values[current()] ?? values.de });
}
export const note = (body, done) => send("notes", body, done);

// The same for a form that says itself what was refused.
export const noting = body => ask("POST", `${base()}/notes`, body);

// A form that stays open with all that was typed until the service has taken it.
export const sendForm = (content, yes, kind, send, done) => sendIt(content, yes, kind, async data => {
  const said = await send(data);
  toast(typeof done === "function" ? done(said) : done);
}, refusal);

export const peopleText = (n, substitutes) => substitutes ? s("with_substitutes", { people: s("n_people", { n }), n: substitutes }) : s("n_people", { n });

export function impossibleText(n, substitutes, why) {
  if (!n) return s("nobody_here");
  const ways = [s("missing", { n: why.missing }), ...why.surplus ? [s("surplus", { n: why.surplus })] : [], ...why.fives_would_do ? [s("fives_way")] : []];
  return s(why.fives_would_do ? "impossible_fours" : "impossible", { people: peopleText(n, substitutes), ways: joined(ways, "or") });
}

export const courtOf = table => setup?.courts.find(one => one.round === state.round && one.table === table);
