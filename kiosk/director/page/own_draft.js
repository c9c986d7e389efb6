// A club's own book while it is written: its content as a file has it, what the service says of it, and whether that is saved.

import { ask, toast } from "./actions.js";
import { redraw } from "./draw.js";
import { keeps } from "./kept_typed.js";
import { state } from "./live.js";
import { refusal, whenAnother } from "./office.js";
import { current } from "./words.js";

const LOOK_MS = 150; // until the service is asked what became of a change; several in a row are one

// name: as it is typed; was: under which it is stored, "" if it is not; seen: number of the state that it follows; stored: as that says it
let draft = null, told = null, asked = 0, timer = null, shownIn = "";
whenAnother(() => { draft = told = null; });

const textOf = ({ name, content }) => JSON.stringify([name, content]);

// What is written, as long as whoever began it is the one who is logged in.
export const drafted = () => draft && draft.by === state.me.name ? draft : null;
export const described = () => drafted() ? told : null;
export const dirty = () => Boolean(draft) && textOf(draft) !== draft.stored;

export function open({ name, content, number = 0, was = "" }) {
  draft = { name, content: structuredClone(content), was, seen: number, by: state.me.name, opened: (draft?.opened ?? 0) + 1, fresh: new Map() };
  draft.stored = was ? textOf(draft) : "";
  told = null;
  look(true);
}

export function close() {
  draft = told = null;
  redraw();
}

keeps("own", {
  now: () => {
    if (!drafted() || !dirty()) return null;
    const { fresh, opened, ...typed } = draft;
    return typed;
  },
  back: typed => {
    draft = typed && { ...typed, opened: (draft?.opened ?? 0) + 1, fresh: new Map() };
    told = null;
    if (draft) look(true);
  },
});

// It is stored now, as the state of that number; what was typed meanwhile is not.
export function stored(name, number, text) {
  if (!draft) return;
  [draft.was, draft.seen, draft.stored] = [name, number, text];
  redraw();
}

export const sent = () => textOf(draft);

// Asks the service to describe what stands there: at once, or as soon as nothing more changes.
function look(now = false) {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const mine = ++asked, { name, content } = draft ?? {};
    if (!content) return;
    try {
      const said = await ask("POST", `/api/books/form?language=${current()}`, { name, content });
      if (mine !== asked || !draft) return;
      told = said;
    } catch (error) {
      if (mine === asked) toast(refusal(error), true);
    }
    redraw();
  }, now ? 0 : LOOK_MS);
  redraw();
}

// In another language all of it is told anew.
export function inLanguage() {
  if (draft && shownIn !== current()) look(true);
  shownIn = current();
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
export const valueOf = field => at(field.key) ?? field.base;
const at = key => key.split(".").reduce((part, step) => part?.[step], draft.content);
export const differs = field => !same(valueOf(field), field.base);

// Sets a value; what is as the book below has it stands in no file.
export function set(key, value, base) {
  const steps = key.split("."), last = steps.pop(), { content } = draft;
  const part = steps.reduce((inner, step) => inner[step] ??= {}, content);
  if (value === undefined || same(value, base) && !["title", "source"].includes(key)) delete part[last];
  else part[last] = value;
  for (const [name, inner] of Object.entries(content)) {
    if (inner && typeof inner === "object" && !Object.keys(inner).length) delete content[name];
  }
  look();
}

// The same from a button: the field shows it, whatever was typed there.
export function put(key, value, base) {
  renew(key);
  set(key, value, base);
}

const renew = key => draft.fresh.set(key, (draft.fresh.get(key) ?? 0) + 1);

// By what a field is told from the one that stood in its place before.
export const freshness = key => `${draft.opened} ${draft.fresh.get(key) ?? 0} ${key}`;

export function rename(name) {
  draft.name = name;
  look();
}

// Which games are played: what was said of the others goes with them, and a new one goes last.
export function setGames(field, names) {
  const { content } = draft;
  if (content.games?.order) {
    const kept = content.games.order.map(group => group.filter(name => names.includes(name))).filter(group => group.length);
    content.games.order = [...kept, ...names.filter(name => !kept.flat().includes(name) && field.values.some(([one]) => one === name)).map(name => [name])];
  }
  for (const name of Object.keys(content.trumps ?? {})) if (name !== "normal" && !names.includes(name)) delete content.trumps[name];
  renew("games.order");
  set(field.key, names, field.base);
}

// The club's own section and words for what is called `about`; without a section there are none. Of one number there is one section.
export function setWords(about, section, text) {
  const rules = (draft.content.rule ?? []).map(one => ({ ...one, about: one.about.filter(name => name !== about) }));
  const there = rules.find(one => one.section === section);
  if (section && there) Object.assign(there, { about: [...there.about, about] }, text ? { text } : {});
  else if (section) rules.push({ about: [about], section, ...text ? { text } : {} });
  put("rule", rules.filter(one => one.about.length), []);
}

export const wordsFor = about => (draft.content.rule ?? []).find(one => one.about?.includes(about));
