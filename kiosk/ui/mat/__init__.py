"""Show the mat as the camera sees it, live, beside the table's screen: for people who watch, not for those who play."""
