"""The director's service and page."""
