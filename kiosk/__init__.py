"""Stichwart: the table's kiosk and the director's hall."""
