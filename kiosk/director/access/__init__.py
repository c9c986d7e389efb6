"""Decide who may do what at the direction: people's accounts and sessions, the tables' devices, the record of acts."""
