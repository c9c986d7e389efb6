// What the page says, in German and English. Words for codes of the protocol come from the table's own list (/api/words).

import { TALLY } from "./tally_words.js";

export const UI = {
  de: {
    hall: "Tische", standings: "Rangliste", round: "Runde", table: "Tisch", game: "Spiel", back: "Alle Tische",
    login: "Turnierleitung", logout: "Abmelden", pin: "PIN der Turnierleitung", enter: "Anmelden", wrong_pin: "Die PIN stimmt nicht.",
    too_many: "Zu viele falsche Versuche. Bitte 30 Sekunden warten.",
    pin_why: "Mit der PIN lassen sich Runden freigeben und beenden. Anschauen darf jeder.",
    open_to_all: "Es ist keine PIN gesetzt: Jeder im Netz kann diese Knöpfe drücken.",
    live: "Verbunden", dead: "Keine Verbindung zum Dienst der Turnierleitung. Die Anzeige steht still; es wird weiter versucht.",
    n_tables: n => n === 1 ? "1 Tisch" : `${n} Tische`, n_connected: n => `${n} verbunden`, n_playing: n => `${n} im Spiel`,
    n_done: n => `${n} abgegeben`, n_waiting: n => n === 1 ? "1 wartet auf Freigabe" : `${n} warten auf Freigabe`,
    release_all: "Runde freigeben", time_up_all: "Ende der Spielzeit", call_all: "Alle Tische rufen",
    release: "Freigeben", time_up: "Spielzeit beenden", extra: "Nachspielzeit", call: "Tisch rufen", rule: "Entscheidung",
    clear_call: "Weiterspielen lassen", leave: "Erlaubnis", strike: "Spiel streichen", aside: "Liste beiseitelegen",
    cancel: "Abbrechen", ok: "Ja", send: "Senden", close: "Schließen",
    ask_release_all: (n, r) => `Runde ${r} freigeben?`,
    ask_release_all_more: n => `An ${n === 1 ? "einem Tisch" : n + " Tischen"} beginnt die Runde. Das lässt sich nicht zurücknehmen.`,
    ask_time_up_all: "Ende der Spielzeit für alle Tische?",
    ask_time_up_all_more: "Angefangene Spiele werden zu Ende gespielt, ausstehende Pflichtsoli noch gespielt, andere Spiele gestrichen. Tische mit Nachspielzeit spielen diese noch. Das lässt sich nicht zurücknehmen.",
    ask_release: t => `Tisch ${t} freigeben?`, ask_release_more: "Die Runde beginnt an diesem Tisch. Das lässt sich nicht zurücknehmen.",
    ask_time_up: t => `Spielzeit an Tisch ${t} beenden?`,
    ask_time_up_more: "Das angefangene Spiel wird zu Ende gespielt, ausstehende Pflichtsoli noch gespielt.",
    away_too: list => `Nicht verbunden: Tisch ${list.join(", ")}. Dort wirkt es, sobald der Tisch wieder da ist.`,
    not_yet: n => n === 1 ? "An einem Tisch sitzt noch niemand; er wird freigegeben, sobald er besetzt ist." : `An ${n} Tischen sitzt noch niemand; sie werden freigegeben, sobald sie besetzt sind.`,
    extra_for: t => `Nachspielzeit für Tisch ${t}`, minutes: "Minuten",
    call_for: t => t === null ? "Alle Tische rufen" : `Tisch ${t} rufen`, call_text: "Nachricht an den Tisch (kann leer bleiben)",
    rule_for: t => `Entscheidung für Tisch ${t}`, offender: "Verursacher", nobody: "niemand", class: "Einordnung",
    classes: { none: "kein Verstoß, weiterspielen", minor: "geringfügiger Verstoß", serious: "schwerwiegender Verstoß", decided: "Spiel war schon entschieden", custom: "eigene Wertung" },
    breach: "Welcher Verstoß", last_objection: "der zuletzt reklamierte", harms: "Zum möglichen Schaden des Alleinspielers",
    scores: "Punkte nach Plätzen", resume: "Spiel geht weiter", rule_minutes: "Nachspielzeit in Minuten", why: "Begründung (kann leer bleiben)",
    leave_for: t => `Erlaubnis für Tisch ${t}`, seat: "Spieler", granted: "erlaubt", denied: "nicht erlaubt",
    strike_for: t => `Spiel streichen an Tisch ${t}`, replay: "wird als nächstes Spiel neu gespielt", which_game: "Nummer des Spiels",
    ask_aside: t => `Liste von Tisch ${t} beiseitelegen?`,
    ask_aside_more: "Die Liste bleibt gespeichert, zählt aber nicht mehr. Der Tisch sendet seine Liste von vorn. Gedacht für Proberunden und vertauschte Tische.",
    aside_all: "Runde neu beginnen", ask_aside_all: r => `Runde ${r} ganz neu beginnen?`,
    ask_aside_all_more: "Alle Listen dieser Runde werden beiseitegelegt und zählen nicht mehr; Freigabe und Spielzeitende gelten nicht mehr. Gelöscht wird nichts. Gedacht für Proben vor dem Turnier. Die Tische müssen ihre Runde ebenfalls neu beginnen, sonst senden sie ihre Liste wieder.",
    done_aside_all: "Die Listen der Runde sind beiseitegelegt.",
    sent: (what, n) => `${what}: gesendet an ${n === 1 ? "einen Tisch" : n + " Tische"}.`, sent_away: list => list.length === 1 ? `Tisch ${list[0]} bekommt es, sobald er wieder da ist.` : `Die Tische ${list.join(", ")} bekommen es, sobald sie wieder da sind.`,
    done_aside: "Die Liste ist beiseitegelegt.",
    orders: { release: "Freigabe", time_up: "Spielzeitende", rule: "Entscheidung", leave: "Erlaubnis", strike: "Streichung", void: "Neu geben", call: "Ruf", substitute: "Spielerwechsel" },
    underway: what => `${what} unterwegs`, refused: (what, why) => `${what} nicht angenommen: ${why}`,
    connected: "verbunden", away_since: t => `nicht verbunden seit ${t}`, never: "noch nie verbunden",
    games_left: n => n === 1 ? "noch 1 Spiel" : `noch ${n} Spiele`, no_games_left: "alle Spiele gespielt", no_more_games: "keine Spiele mehr", trick: n => `Stich ${n}`,
    empty: "Niemand sitzt am Tisch", not_released: "nicht freigegeben", not_begun: "Noch kein Spiel beendet.",
    referee: "Schiedsrichter gerufen", doubts: n => n === 1 ? "1 Karte fraglich" : `${n} Karten fraglich`, open_rows: list => `Spiel ${list.join(", ")} noch offen`,
    unsigned: list => `Unterschrift fehlt: ${list.join(", ")}`, all_signed: "alle haben unterschrieben", closed: "Liste abgegeben", not_closed: "Liste nicht abgegeben",
    duty: list => `Pflichtsolo offen: ${list.join(", ")}`, duty_mark: "Pflichtsolo offen", must_play: n => `${n} wird vorgeführt`,
    conflict: "Zwei verschiedene Listen für diesen Tisch", twice: "Zwei Geräte melden sich mit dieser Tischnummer",
    line: { behind: "Das Gerät des Tisches hat weniger gespeichert als die Turnierleitung", rejected: "Die Liste des Tisches ist nicht anzunehmen" },
    trouble: "Ein Ereignis dieses Tisches ist nicht zu verstehen", blind: "Kamera sieht nichts", unsaved: "Speicher des Tisches voll",
    overtime: "Zeit ist um", time_over: "Spielzeit beendet", extra_mark: "Nachspielzeit", no_clock: "–",
    number_short: "Nr.", dealer_mark: "Geber", open: "offen", duty_short: "Pflicht", rulings: "Entscheide",
    only_now: "jetzt noch", more_cards: (n, table) => table ? n === 1 ? "noch 1 Karte auf den Tisch" : `noch ${n} Karten auf den Tisch` : n === 1 ? "noch 1 eigene Karte" : `noch ${n} eigene Karten`,
    limits: "Grenzen", owes: until => `muss ansagen (${until})`, ran: "davongelaufen", sides: { re: "Spieler-Partei", kontra: "Gegenpartei" }, pays: n => `zahlt ${n} €`, gets: n => `bekommt ${n} €`,
    calls_card: "ruft", renonce: "ohne die Farbe", doubled: "zählt doppelt", bock_left: n => n === 1 ? "Bockrunde: noch 1 Spiel doppelt" : `Bockrunde: noch ${n} Spiele doppelt`,
    leaves: { asked: (game, who) => `${game} von ${who} braucht die Erlaubnis der Turnierleitung`, granted: (game, who) => `${game} von ${who}: erlaubt`, refused: (game, who) => `${game} von ${who}: nicht erlaubt` },
    own_scores: "Punkte selbst eintragen statt der Vorgabe", fines: "Zahlt in Euro, statt der Vorgabe (− heißt bekommt)",
    running: "läuft", next_deals: n => `${n} gibt`, list: "Spielliste", now: "Jetzt", last: "Zuletzt", actions: "Turnierleitung", take: "Mitnehmen",
    on_table: "Auf dem Tisch", face_down: "verdeckt", tricks: n => n === 1 ? "1 Stich" : `${n} Stiche`, cards: n => n === 1 ? "1 Karte" : `${n} Karten`, turn: "am Zug", sits_out: "setzt aus",
    as_pdf: "PDF", as_text: "Text", as_csv: "Tabelle (CSV)", all_lists: "Alle Listen (PDF)", as_json: "JSON", as_events: "Ereignisse (für replay)", needs_pin: "mit PIN",
    rank: "Platz", name: "Name", sum: "Summe", provisional: "Vorläufig: Noch sind nicht alle Listen abgegeben. ✓ heißt abgegeben.", no_standings: "Noch keine Punkte.", todo: "Zu tun", nothing_todo: "Nichts zu tun.",
    no_tables: "Noch hat sich kein Tisch gemeldet.", no_tables_more: "Ein Tisch erscheint hier, sobald sein Gerät eingeschaltet ist und Adresse und Schlüssel der Turnierleitung kennt.",
    offences: "Verstöße", with_extra: time => `davon ${time} Nachspielzeit`, tables: "Tische", unknown_table: "Von diesem Tisch ist in dieser Runde noch nichts bekannt.",
    events: {
      open: "Der Tisch ist besetzt", release: "Runde freigegeben", time_up: "Ende der Spielzeit", close: "Liste abgegeben", sign: "unterschreibt",
      claim_rest: "beansprucht den Rest", claim_concede: "gibt den Rest", retract: c => `nimmt ${c} zurück`, object: "reklamiert",
      rule: "Entscheidung", void: "Neu geben", strike: g => `Spiel ${g} gestrichen`, correct: c => `Karte berichtigt: ${c}`, no_card: "keine Karte", substitute: (who, seat) => `${who} übernimmt Platz ${seat}`,
      leave_yes: "Erlaubnis erteilt", leave_no: "Erlaubnis versagt", extra: m => m === 1 ? "1 Minute Nachspielzeit" : `${m} Minuten Nachspielzeit`,
    },
    error: why => `Das hat nicht geklappt: ${why}`, unreachable: "Der Dienst der Turnierleitung antwortet nicht.",
  },
  en: {
    hall: "Tables", standings: "Standings", round: "Round", table: "Table", game: "Game", back: "All tables",
    login: "Director", logout: "Log out", pin: "Director's PIN", enter: "Log in", wrong_pin: "This is not the PIN.",
    too_many: "Too many wrong PINs. Please wait 30 seconds.",
    pin_why: "The PIN opens the buttons for releasing and ending rounds. Anybody may look.",
    open_to_all: "No PIN is set: everybody in the network can press these buttons.",
    live: "Connected", dead: "No connection to the director's service. The page stands still; it keeps trying.",
    n_tables: n => n === 1 ? "1 table" : `${n} tables`, n_connected: n => `${n} connected`, n_playing: n => `${n} in play`,
    n_done: n => `${n} handed in`, n_waiting: n => `${n} waiting for release`,
    release_all: "Release the round", time_up_all: "End of time", call_all: "Call all tables",
    release: "Release", time_up: "End of time", extra: "Extra time", call: "Call the table", rule: "Ruling",
    clear_call: "Let play go on", leave: "Leave", strike: "Strike a game", aside: "Set the list aside",
    cancel: "Cancel", ok: "Yes", send: "Send", close: "Close",
    ask_release_all: (n, r) => `Release round ${r}?`,
    ask_release_all_more: n => `The round begins at ${n === 1 ? "one table" : n + " tables"}. This cannot be undone.`,
    ask_time_up_all: "End the playing time at all tables?",
    ask_time_up_all_more: "Games begun are finished, outstanding Pflichtsoli are still played, other games are struck. Tables with extra time use it up first. This cannot be undone.",
    ask_release: t => `Release table ${t}?`, ask_release_more: "The round begins at this table. This cannot be undone.",
    ask_time_up: t => `End the playing time at table ${t}?`,
    ask_time_up_more: "The game begun is finished, outstanding Pflichtsoli are still played.",
    away_too: list => `Not connected: table ${list.join(", ")}. It takes effect there once the table is back.`,
    not_yet: n => n === 1 ? "Nobody sits at one table yet; it is released once it is taken." : `Nobody sits at ${n} tables yet; they are released once they are taken.`,
    extra_for: t => `Extra time for table ${t}`, minutes: "Minutes",
    call_for: t => t === null ? "Call all tables" : `Call table ${t}`, call_text: "Message to the table (may be empty)",
    rule_for: t => `Ruling for table ${t}`, offender: "Offender", nobody: "nobody", class: "Class",
    classes: { none: "no offence, play on", minor: "minor offence", serious: "serious offence", decided: "game was decided already", custom: "own scores" },
    breach: "Which offence", last_objection: "the one objected to last", harms: "To the soloist's possible harm",
    scores: "Points by seat", resume: "Game goes on", rule_minutes: "Extra time in minutes", why: "Reason (may be empty)",
    leave_for: t => `Leave for table ${t}`, seat: "Player", granted: "granted", denied: "denied",
    strike_for: t => `Strike a game at table ${t}`, replay: "is played again as the next game", which_game: "Number of the game",
    ask_aside: t => `Set the list of table ${t} aside?`,
    ask_aside_more: "The list stays stored but does not count any more. The table sends its list from the start. Meant for trial rounds and mixed-up tables.",
    aside_all: "Begin the round anew", ask_aside_all: r => `Begin round ${r} all anew?`,
    ask_aside_all_more: "All lists of this round are set aside and do not count any more; release and end of time no longer hold. Nothing is deleted. Meant for rehearsals before the tournament. The tables must begin their round anew too, else they send their list again.",
    done_aside_all: "The round's lists have been set aside.",
    sent: (what, n) => `${what}: sent to ${n === 1 ? "one table" : n + " tables"}.`, sent_away: list => list.length === 1 ? `Table ${list[0]} gets it once it is back.` : `Tables ${list.join(", ")} get it once they are back.`,
    done_aside: "The list has been set aside.",
    orders: { release: "Release", time_up: "End of time", rule: "Ruling", leave: "Leave", strike: "Striking", void: "New deal", call: "Call", substitute: "Change of player" },
    underway: what => `${what} under way`, refused: (what, why) => `${what} not accepted: ${why}`,
    connected: "connected", away_since: t => `away since ${t}`, never: "never connected",
    games_left: n => n === 1 ? "1 game left" : `${n} games left`, no_games_left: "all games played", no_more_games: "no more games", trick: n => `trick ${n}`,
    empty: "Nobody sits at this table", not_released: "not released", not_begun: "No game has ended yet.",
    referee: "Referee called", doubts: n => n === 1 ? "1 card in doubt" : `${n} cards in doubt`, open_rows: list => `game ${list.join(", ")} still open`,
    unsigned: list => `Not signed: ${list.join(", ")}`, all_signed: "all have signed", closed: "List handed in", not_closed: "List not handed in",
    duty: list => `Pflichtsolo open: ${list.join(", ")}`, duty_mark: "Pflichtsolo open", must_play: n => `${n} must play the Pflichtsolo now`,
    conflict: "Two different lists for this table", twice: "Two devices use this table number",
    line: { behind: "The table's device has stored less than the director", rejected: "The table's list cannot be accepted" },
    trouble: "An event of this table cannot be understood", blind: "The camera sees nothing", unsaved: "The table's storage is full",
    overtime: "Time is over", time_over: "Time ended", extra_mark: "Extra time", no_clock: "–",
    number_short: "No.", dealer_mark: "Dealer", open: "open", duty_short: "duty", rulings: "Rulings",
    only_now: "only now", more_cards: (n, table) => table ? n === 1 ? "1 more card on the table" : `${n} more cards on the table` : n === 1 ? "1 more card of one's own" : `${n} more cards of one's own`,
    limits: "Limits", owes: until => `must announce (${until})`, ran: "ran away", sides: { re: "playing side", kontra: "other side" }, pays: n => `pays €${n}`, gets: n => `gets €${n}`,
    calls_card: "calls", renonce: "without its suit", doubled: "counts double", bock_left: n => n === 1 ? "Bock round: 1 more game counts double" : `Bock round: ${n} more games count double`,
    leaves: { asked: (game, who) => `${game} of ${who} needs the direction's leave`, granted: (game, who) => `${game} of ${who}: leave granted`, refused: (game, who) => `${game} of ${who}: leave denied` },
    own_scores: "Enter the points instead of the preset", fines: "Pays in euros, instead of the preset (− means gets)",
    running: "in play", next_deals: n => `${n} deals`, list: "List", now: "Now", last: "Latest", actions: "Director", take: "Take away",
    on_table: "On the table", face_down: "face down", tricks: n => n === 1 ? "1 trick" : `${n} tricks`, cards: n => n === 1 ? "1 card" : `${n} cards`, turn: "to play", sits_out: "sits out",
    as_pdf: "PDF", as_text: "Text", as_csv: "Spreadsheet (CSV)", all_lists: "All lists (PDF)", as_json: "JSON", as_events: "Events (for replay)", needs_pin: "with PIN",
    rank: "Rank", name: "Name", sum: "Sum", provisional: "Provisional: not every list has been handed in. ✓ means handed in.", no_standings: "No points yet.", todo: "To do", nothing_todo: "Nothing to do.",
    no_tables: "No table has reported yet.", no_tables_more: "A table appears here once its device is on and knows the director's address and token.",
    offences: "Offences", with_extra: time => `${time} of it extra time`, tables: "Tables", unknown_table: "Nothing is known of this table in this round yet.",
    events: {
      open: "The table is taken", release: "Round released", time_up: "End of playing time", close: "List handed in", sign: "signs",
      claim_rest: "claims the rest", claim_concede: "concedes the rest", retract: c => `takes ${c} back`, object: "objects",
      rule: "Ruling", void: "New deal", strike: g => `Game ${g} struck`, correct: c => `Card put right: ${c}`, no_card: "no card", substitute: (who, seat) => `${who} takes seat ${seat}`,
      leave_yes: "Leave granted", leave_no: "Leave denied", extra: m => m === 1 ? "1 minute of extra time" : `${m} minutes of extra time`,
    },
    error: why => `That did not work: ${why}`, unreachable: "The director's service does not answer.",
  },
};

for (const [language, words] of Object.entries(TALLY)) Object.assign(UI[language], words);

let language = localStorage.getItem("language") ?? "de";
let codes = { de: {}, en: {} };

export const current = () => language;

export function choose(other) {
  language = other;
  localStorage.setItem("language", other);
  document.documentElement.lang = other;
}

export async function loadCodes() {
  codes = await (await fetch("/api/words")).json();
}

// A word of the page; with arguments where it has places to fill in.
export function t(key, ...fill) {
  const word = UI[language][key];
  return typeof word === "function" ? word(...fill) : word ?? key;
}

export const inner = (group, key, ...fill) => {
  const word = UI[language][group][key];
  return typeof word === "function" ? word(...fill) : word ?? key;
};

// The word for a code, as the table and the lists have it: games, calls, phases, reasons, notices, ranking, cash …
// `values` go into its places.
export const code = (group, key, values = {}) =>
  (codes[language]?.[group]?.[key] ?? String(key)).replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);

// What a refusal says: in words of the page where it has them.
export function failure(error, ...more) {
  const word = UI[language].failures[error.code];
  return word ? word(error.values ?? {}, ...more) : t("error", error.message);
}
