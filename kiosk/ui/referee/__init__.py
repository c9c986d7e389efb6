"""Show breaches, Reklamationen and the referee's ruling."""
