"""Draw the seats of a round: sizes of tables, kinds of draws, what is wished of them, search for the best one."""
