"""Run vision in a process of its own, and help people to set a table up."""
