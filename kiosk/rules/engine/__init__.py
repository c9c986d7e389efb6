"""Implement what all rule books share: cards, contracts, tricks, announcements, a game, scoring, proof."""
