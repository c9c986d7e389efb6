"""Keep what must outlive the director's process: lists of events, orders and answers, notes of tournaments."""
