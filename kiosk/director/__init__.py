"""Run the director's service and page."""
