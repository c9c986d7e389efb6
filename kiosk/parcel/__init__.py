"""Parcels: what the direction gives all tables, decks, words, sounds, settings, and what each must be to be taken."""
