"""Measure the promised figures on this machine: ``stichwart bench``."""
