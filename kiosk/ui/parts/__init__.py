"""Build the parts of every screen: colours, type, keys, drawn cards."""
