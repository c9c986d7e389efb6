"""Ask at the first start, and whenever somebody wants to change it: language, screen, network, direction."""
