"""Show what stands beside every screen: the rail, the drawn lamps, and the round clock."""
