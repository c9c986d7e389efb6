// What the page for setting the tournament up says, in German and English.

import { current } from "./words.js";

const people = n => n === 1 ? "1 Person" : `${n} Personen`;
const peopleEn = n => n === 1 ? "1 person" : `${n} people`;
const tables = sizes => [4, 5].map(size => [sizes.filter(one => one === size).length, size]).filter(([n]) => n)
  .map(([n, size]) => `${n} ${{ 4: "Vierer", 5: "Fünfer" }[size]}${n === 1 ? "tisch" : "tische"}`).join(" und ");
const tablesEn = sizes => [4, 5].map(size => [sizes.filter(one => one === size).length, size]).filter(([n]) => n)
  .map(([n, size]) => `${n} ${n === 1 ? "table" : "tables"} of ${size}`).join(" and ");

const WORDS = {
  de: {
    setup: "Turnier", rules: "Regelwerk", book: "Nach welchem Buch wird gespielt?", start: "Beginn", day: "Tag", rounds: "Runden", save: "Speichern", saved: "Gespeichert. Tische, an denen noch niemand sitzt, haben es schon.",
    not_chosen: "Noch nicht festgelegt: Jeder Tisch geht nach seiner eigenen Einstellung, bis hier gespeichert wird.",
    options: "Was das Buch offen lässt, und seine Zahlen", changed: n => n === 1 ? "1 Abweichung vom Buch" : `${n} Abweichungen vom Buch`, as_book: "alles wie im Buch",
    by_book: told => `Buch: ${told}`, reset: "Alles wie im Buch", yes: "ja", unsaved: "Noch nicht gespeichert.", minutes_over: m => `Die Datei der Turnierleitung setzt ${m} Minuten Spielzeit; Speichern hier hebt das auf.`,
    people: "Teilnehmer", add: "Eintragen", add_names: "Namen, jeder in einer Zeile", as_substitute: "als Ersatzspieler", here_now: "sind schon da",
    none: "Noch niemand eingetragen.", count: (n, here, subs) => `${people(n)}${here === null ? "" : `, ${here} da`}${subs ? `, dazu ${subs} Ersatz` : ""}`,
    check_in: "Ist da", since: time => `da seit ${time}`, late: m => `${m} Min. zu spät`, not_here: "noch nicht da", gone: "ausgeschieden", substitute: "Ersatz", more: "Ändern",
    edit: name => `${name} ändern`, new_name: "Name", is_substitute: "Ersatzspieler: zählt am Tisch, nicht in der Rangliste", came_at: "Angekommen um (leer: noch nicht da)", is_gone: "spielt nicht weiter mit",
    draw: round => `Plätze der Runde ${round}`, draw_it: "Auslosen", draw_again: "Neu auslosen", seed: "Losnummer (leer: der Zufall wählt)", fives: "Fünfertische erlauben", fives_section: s => `Fünfertische erlauben – Ausnahme, die die Turnierleitung entscheidet (${s})`,
    avoid: "möglichst neue Tischgenossen", by_section: s => `nach ${s}`, lot_alone: s => `Allein das Los entscheidet; wer wieder zusammen sitzt, sitzt zusammen (${s}).`,
    possible: (n, sizes, fill) => `${people(n)}${fill ? ` und ${fill} Ersatz` : ""}: ${tables(sizes)}.`,
    impossible: (n, subs, s) => !n ? "Noch ist niemand da, der sitzen könnte." : `${people(n)}${subs ? ` und ${subs} Ersatz` : ""} gehen an ${s.fives_would_do ? "Vierertischen" : "den Tischen"} nicht auf: Es fehlen ${s.missing}${s.surplus ? `, oder ${s.surplus} ${s.surplus === 1 ? "setzt" : "setzen"} aus` : ""}${s.fives_would_do ? ", oder Fünfertische werden erlaubt" : ""}.`,
    absent: list => `Nicht eingecheckt, nicht mitgelost: ${list.join(", ")}`, unseated: list => `Ohne Platz in dieser Runde: ${list.join(", ")}`,
    seated_missing: list => `Gesetzt, aber nicht da: ${list.join(", ")}`,
    small_mat: (n, seats) => `Gesetzt sind ${n}, die Matte dieses Tisches hat ${seats} Plätze: eine für ${n} drucken (stichwart mat print --seats ${n}) und mat.seats = ${n} in der Datei des Tisches setzen, oder hier ${seats} setzen.`,
    drawn: seed => `Gelost mit der Nummer ${seed}`, mended: "von Hand geändert", met: n => n === 1 ? "1 Paar saß schon einmal zusammen." : `${n} Paare saßen schon einmal zusammen.`, met_none: "Niemand sitzt mit jemandem zusammen, mit dem er schon saß.",
    swap_hint: "Zum Tauschen zwei Namen antippen.", swap: (a, b) => `${a} und ${b} tauschen`, unpick: "Auswahl aufheben",
    publish: "An die Tische senden", published: "Die Tische haben den Plan.", withdraw: "Plan zurücknehmen", print: "Drucken", not_published: "Die Tische haben den Plan noch nicht.",
    place: (table, seat) => `Tisch ${table}, Platz ${seat}`, by_name: "Nach Namen", table: n => `Tisch ${n}`, substitute_mark: "Ersatz",
    begun: "hat begonnen", replace: "Spieler ersetzen", replace_for: table => `Spieler an Tisch ${table} ersetzen`, who_left: "Wer hört auf?", who_came: "Wer kommt dafür?",
    replace_why: s => `Wer einspringt, wird am Tisch mitgezählt und steht nicht in der Rangliste${s ? ` (${s})` : ""}.`, replaced: (left, came) => `${came} spielt für ${left}.`,
    court: "Schiedsgericht", court_for: table => `Schiedsgericht über Tisch ${table}`, court_tables: "Tische, an denen seine Mitglieder spielen", court_why: s => `Ab jetzt zählt die Unterbrechung. Mit der Entscheidung bekommen dieser Tisch und die angekreuzten ihre Dauer als Nachspielzeit (${s}).`,
    court_begin: "Unterbrechung beginnt", court_ends: "Schiedsgericht hat entschieden", court_sits: (table, time) => `Schiedsgericht über Tisch ${table} seit ${time}`, court_given: (m, list) => `${m === 1 ? "1 Minute" : `${m} Minuten`} Nachspielzeit für ${list.length === 1 ? "Tisch" : "die Tische"} ${[...list].sort((a, b) => a - b).join(", ")}.`,
    begin: "Neues Turnier", begin_why: name => `„${name}“ bleibt mit allen Listen erhalten und oben zur Auswahl. Buch und Optionen gehen mit; die Tische gehen von selbst mit.`,
    begin_left: list => `Noch nicht abgegeben: Tisch ${list.join(", ")}. Diese Listen bleiben, wie sie sind.`, begin_name: "Name des Turniers oder Abends (ein früherer geht weiter)", begin_people: "Teilnehmer mitnehmen", begin_yes: "Beginnen", begun_another: name => `Jetzt läuft „${name}“.`,
    untimed: "Das Buch kennt keine Spielzeit: Was noch nicht gespielt ist, würde gestrichen.", to_setup: "Turnier vorbereiten", planned: "gesetzt", other_name: (name, planned) => `Am Tisch steht ${name}, gesetzt war ${planned}`,
    errors: {
      option: v => `Nicht gespeichert: ${v.de}.`, no_name: () => "Es fehlt ein Name.", long_name: v => `${v.name}: höchstens ${v.most} Buchstaben.`, same_name: v => `${v.name} steht schon da. Einen Vornamen oder Ort dazuschreiben.`,
      unknown_person: v => `${v.name} ist nicht eingetragen.`, no_plan: () => "Für diese Runde ist noch nicht gelost.", published: () => "Die Tische haben den Plan schon. Erst zurücknehmen, dann neu losen.",
      same_person: () => "Das ist zweimal dieselbe Person.", no_place: v => `Weder ${v.one} noch ${v.other} hat einen Platz.`, begun: v => `Tisch ${v.table} hat diese Runde schon eröffnet. Dort „Spieler ersetzen“ benutzen.`,
      too_many_rounds: v => `Das Turnier hat ${v.rounds} Runden.`, number: v => `Eine Zahl von ${v.low} bis ${v.high}.`, nobody: () => "Es ist noch niemand da.", plays: v => `${v.name} spielt gerade an einem anderen Tisch.`,
      no_seating: v => WORDS.de.impossible(v.people, v.substitutes, { missing: v.missing, surplus: v.surplus, fives_would_do: v.fives }), court: () => "Das Schiedsgericht tagt schon über diesen Tisch.", no_court: () => "Über diesen Tisch tagt kein Schiedsgericht.",
    },
  },
  en: {
    setup: "Tournament", rules: "Rules", book: "Which book is played by?", start: "Begins", day: "Day", rounds: "Rounds", save: "Save", saved: "Saved. Tables at which nobody sits yet have it already.",
    not_chosen: "Not set yet: every table goes by its own configuration until it is saved here.",
    options: "What the book leaves open, and its numbers", changed: n => n === 1 ? "1 differs from the book" : `${n} differ from the book`, as_book: "all as in the book",
    by_book: told => `book: ${told}`, reset: "All as in the book", yes: "yes", unsaved: "Not saved yet.", minutes_over: m => `The director's file sets ${m} minutes of playing time; saving here undoes that.`,
    people: "Players", add: "Enter", add_names: "Names, one a line", as_substitute: "as substitutes", here_now: "are here already",
    none: "Nobody entered yet.", count: (n, here, subs) => `${peopleEn(n)}${here === null ? "" : `, ${here} here`}${subs ? `, and ${subs} substitutes` : ""}`,
    check_in: "Is here", since: time => `here since ${time}`, late: m => `${m} min. late`, not_here: "not here yet", gone: "left", substitute: "substitute", more: "Change",
    edit: name => `Change ${name}`, new_name: "Name", is_substitute: "Substitute: counted at the table, not in the standings", came_at: "Came at (empty: not here yet)", is_gone: "plays no more",
    draw: round => `Seats of round ${round}`, draw_it: "Draw", draw_again: "Draw again", seed: "Lot number (empty: chance decides)", fives: "Allow tables of five", fives_section: s => `Allow tables of five – an exception that the direction decides on (${s})`,
    avoid: "new company where possible", by_section: s => `by ${s}`, lot_alone: s => `The lot alone decides; who meets again meets again (${s}).`,
    possible: (n, sizes, fill) => `${peopleEn(n)}${fill ? ` and ${fill} substitutes` : ""}: ${tablesEn(sizes)}.`,
    impossible: (n, subs, s) => !n ? "Nobody is here yet who could be seated." : `${peopleEn(n)}${subs ? ` and ${subs} substitutes` : ""} do not make up tables: ${s.missing} missing${s.surplus ? `, or ${s.surplus} would have to stand out` : ""}${s.fives_would_do ? ", or allow tables of five" : ""}.`,
    absent: list => `Not checked in, not drawn: ${list.join(", ")}`, unseated: list => `Without a seat in this round: ${list.join(", ")}`,
    seated_missing: list => `Seated, but not here: ${list.join(", ")}`,
    small_mat: (n, seats) => `${n} are seated, this table's mat has ${seats} seats: print one for ${n} (stichwart mat print --seats ${n}) and set mat.seats = ${n} in the table's file, or seat ${seats} here.`,
    drawn: seed => `Drawn with the number ${seed}`, mended: "changed by hand", met: n => n === 1 ? "1 pair has sat together before." : `${n} pairs have sat together before.`, met_none: "Nobody sits with anybody they have sat with before.",
    swap_hint: "Touch two names to swap them.", swap: (a, b) => `Swap ${a} and ${b}`, unpick: "Undo the choice",
    publish: "Send to the tables", published: "The tables have the plan.", withdraw: "Take the plan back", print: "Print", not_published: "The tables do not have the plan yet.",
    place: (table, seat) => `table ${table}, seat ${seat}`, by_name: "By name", table: n => `Table ${n}`, substitute_mark: "substitute",
    begun: "has begun", replace: "Replace a player", replace_for: table => `Replace a player at table ${table}`, who_left: "Who stops?", who_came: "Who comes instead?",
    replace_why: s => `Who fills in is counted at the table and has no place in the standings${s ? ` (${s})` : ""}.`, replaced: (left, came) => `${came} plays for ${left}.`,
    court: "Court", court_for: table => `Court over table ${table}`, court_tables: "Tables at which its members play", court_why: s => `The break counts from now on. With the decision this table and those ticked get its length as extra time (${s}).`,
    court_begin: "The break begins", court_ends: "The court has decided", court_sits: (table, time) => `The court sits over table ${table} since ${time}`, court_given: (m, list) => `${m === 1 ? "1 minute" : `${m} minutes`} of extra time for ${list.length === 1 ? "table" : "tables"} ${[...list].sort((a, b) => a - b).join(", ")}.`,
    begin: "New tournament", begin_why: name => `“${name}” stays with all its lists and can be chosen above. Book and options go along; so do the tables, by themselves.`,
    begin_left: list => `Not handed in: table ${list.join(", ")}. These lists stay as they are.`, begin_name: "Name of the tournament or evening (an earlier one goes on)", begin_people: "Take the people along", begin_yes: "Begin", begun_another: name => `“${name}” is held now.`,
    untimed: "The book knows no playing time: what has not been played would be struck.", to_setup: "Set the tournament up", planned: "seated", other_name: (name, planned) => `The table says ${name}, seated was ${planned}`,
    errors: {
      option: v => `Not saved: ${v.en}.`, no_name: () => "A name is missing.", long_name: v => `${v.name}: at most ${v.most} letters.`, same_name: v => `${v.name} is there already. Add a first name or a place.`,
      unknown_person: v => `${v.name} was not entered.`, no_plan: () => "This round has not been drawn yet.", published: () => "The tables have the plan already. Take it back first, then draw again.",
      same_person: () => "That is the same person twice.", no_place: v => `Neither ${v.one} nor ${v.other} has a seat.`, begun: v => `Table ${v.table} has opened this round already. Use “Replace a player” there.`,
      too_many_rounds: v => `The tournament has ${v.rounds} rounds.`, number: v => `A number from ${v.low} to ${v.high}.`, nobody: () => "Nobody is here yet.", plays: v => `${v.name} plays at another table just now.`,
      no_seating: v => WORDS.en.impossible(v.people, v.substitutes, { missing: v.missing, surplus: v.surplus, fives_would_do: v.fives }), court: () => "The court sits over this table already.", no_court: () => "No court sits over this table.",
    },
  },
};

export function s(key, ...fill) {
  const word = WORDS[current()][key];
  return typeof word === "function" ? word(...fill) : word ?? key;
}

// What the service refused, in the page's language where it has the words.
export const refusal = said => WORDS[current()].errors[said.code]?.(said.values ?? {}) ?? said.message;
