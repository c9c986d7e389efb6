// Words of standing, cash book and year's ranking that are the page's own; those of the lists come from /api/words.

export const TALLY = {
  de: {
    cash: "Kasse", year: "Jahr", as_pdf: "PDF",
    other_book: (round, table, rules) => `Runde ${round} Tisch ${table} spielt nach ${rules} und zählt hier nicht.`,
    draw_lot: "Losen", note_lot: "Von Hand gelost", ask_lot: "Das Los ziehen?",
    ask_lot_more: "Gelost wird einmal; das Los wird mit Uhrzeit und Startwert aufgeschrieben, so dass es jeder nachprüfen kann.",
    note_lot_more: "Wer wurde zuerst gezogen? Das Los wird so aufgeschrieben.", lot_later: "Gelost wird, wenn alle Listen abgegeben sind.",
    lot_done: names => `Gelost: ${names.join(", ")}`,
    cash_pin: "Die Kasse sieht, wer die PIN der Turnierleitung eingegeben hat.",
    late_from: time => `Beginn ${time} Uhr; wer später angemeldet wird, zahlt nach dem Buch.`,
    late_no_start: "Strafen fürs Zuspätkommen gibt es, sobald eine Beginnzeit gesetzt ist.",
    has_paid: "hat bezahlt", payments: "Zahlungen", take_back: "zurücknehmen",
    ask_paid: (who, whom) => `${who} zahlt an ${whom}`, amount: "Betrag in Euro", ask_take_back: "Diese Zahlung zurücknehmen?",
    no_amount: text => `„${text}“ ist kein Betrag in Euro und Cent.`,
    no_year: "Noch kein Spieltag.", evenings: "Spieltage", does_count: "zählt", does_not_count: "zählt nicht", leave_out: "nicht zählen", take_in: "zählen",
    failures: {
      no_lot: () => "Zwischen diesen gibt es nichts mehr zu losen.", lot_order: () => "Jeder Name muss genau einmal vorkommen.",
      no_debt: (values, euros) => values.cents ? `So viel ist nicht offen: ${euros(values.cents)}.` : "Das ist schon bezahlt.",
      no_payment: () => "Diese Zahlung ist schon zurückgenommen.",
    },
  },
  en: {
    cash: "Cash", year: "Year", as_pdf: "PDF",
    other_book: (round, table, rules) => `Round ${round} table ${table} plays by ${rules} and does not count here.`,
    draw_lot: "Draw the lot", note_lot: "Drawn by hand", ask_lot: "Draw the lot?",
    ask_lot_more: "A lot is drawn once; it is written down with its time and seed, so that anybody can check it.",
    note_lot_more: "Who was drawn first? The lot is written down so.", lot_later: "The lot is drawn once all lists are handed in.",
    lot_done: names => `Drawn: ${names.join(", ")}`,
    cash_pin: "The cash book is for those who have entered the director's PIN.",
    late_from: time => `Beginning ${time}; who checks in later pays by the book.`,
    late_no_start: "There are fines for coming late once a starting time is set.",
    has_paid: "has paid", payments: "Payments", take_back: "take back",
    ask_paid: (who, whom) => `${who} pays ${whom}`, amount: "Amount in euros", ask_take_back: "Take this payment back?",
    no_amount: text => `“${text}” is no amount in euros and cents.`,
    no_year: "No evening yet.", evenings: "Evenings", does_count: "counts", does_not_count: "does not count", leave_out: "leave out", take_in: "let count",
    failures: {
      no_lot: () => "There is no lot to be drawn between these.", lot_order: () => "Every name must be there once.",
      no_debt: (values, euros) => values.cents ? `Less than that is open: ${euros(values.cents)}.` : "That is paid already.",
      no_payment: () => "This payment was taken back already.",
    },
  },
};
