// The live line to the service: one WebSocket that comes back by itself. The state is what the service last said.

export const state = {
  me: { director: false, name: "", may: [], tournament: "", tournaments: {}, now: 1 },
  tournament: "", round: 1, table: null,
  cards: new Map(), sheet: null, up: false, arrived: 0, noted: null, held: null, ordered: 0,
};

// Whether who has logged in may do that: look, enter, cash, order, direct.
export const may = act => state.me.may.includes(act);
// Whether the tournament shown is the one that is held.
export const isHeld = () => state.tournament === state.me.tournament;

const SESSION_ENDED = 4403; // this page was logged out, perhaps in another window, or its account was closed

let socket = null, wait = 250, lastWord = 0, onChange = () => {};

export async function loadMe() {
  const answer = await fetch("/api/me", { cache: "no-store" });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  state.me = await answer.json();
  state.meAt = Date.now();
}

export function watch(tournament, round, table) {
  if (tournament !== state.tournament || round !== state.round) {
    state.cards.clear();
    state.ordered = 0;
    state.sheet = null;
  }
  if (table !== state.table) state.sheet = null;
  Object.assign(state, { tournament, round, table });
  wish();
}

function wish() {
  if (socket?.readyState === WebSocket.OPEN && state.tournament) {
    socket.send(JSON.stringify({ tournament: state.tournament, round: state.round, table: state.table }));
  }
}

export function start(changed) {
  onChange = changed;
  open();
  setInterval(() => {
    if (socket?.readyState === WebSocket.OPEN && performance.now() - lastWord > 12000) socket.close();
  }, 2000);
  addEventListener("online", () => socket?.readyState === WebSocket.CLOSED && open());
}

function open() {
  if (state.me.shut) return void setTimeout(open, 500); // the service speaks to those alone who have logged in
  socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  lastWord = performance.now();
  socket.onopen = () => {
    wait = 250;
    lastWord = performance.now();
    state.up = true;
    wish();
    onChange();
  };
  socket.onmessage = message => {
    lastWord = performance.now();
    take(JSON.parse(message.data));
  };
  socket.onclose = ({ code }) => {
    if (code === SESSION_ENDED) loadMe().then(onChange, () => {});
    if (state.up) {
      state.up = false;
      onChange();
    }
    setTimeout(open, wait * (0.6 + 0.4 * Math.random()));
    wait = Math.min(wait * 2, 4000);
  };
}

function take(message) {
  if (message.held !== undefined && message.held !== state.held) {
    state.held = message.held;
    onChange();
  }
  if (message.noted !== undefined && message.noted !== state.noted) {
    state.noted = message.noted;
    onChange();
  }
  if (message.tournament !== state.tournament || message.round !== state.round) return;
  const now = performance.now();
  if (message.hall) state.cards.clear();
  // A card may have been written some tenths of a second before the message that brings it.
  for (const card of message.hall ?? message.cards ?? []) state.cards.set(card.table, { ...card, arrived: now - Math.max(0, message.now - card.now) });
  if (message.sheet && message.table === state.table) state.sheet = message.sheet;
  state.arrived = now;
  if (message.ordered !== undefined) state.ordered = message.ordered;
  onChange();
}

// Whether the list goes on on paper while its device is away: what that told last is over.
export const onPaper = card => Boolean(card.paper) && !card.connected;

// Whether nobody has a device there: those who are seated keep their list on paper, though nothing of it is typed in yet.
export const noDevice = card => card.phase === "empty" && card.planned?.length > 0 && card.device === false && !card.connected;

// Seconds that the table's clock shows now, or null.
export function remaining(card) {
  const clock = card.clock;
  if (!clock || onPaper(card) || clock.limited === false || typeof clock.remaining !== "number") return null;
  return clock.running ? clock.remaining - (performance.now() - card.arrived) / 1000 : clock.remaining;
}
