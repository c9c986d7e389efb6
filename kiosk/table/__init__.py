"""Implement the table: events, their fold, requests, the list and the log. No drawing, no network."""
