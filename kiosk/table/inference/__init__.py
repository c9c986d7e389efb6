"""Infer from readings in doubt: likelihoods, assignment, seats of cards, certain breaches."""
