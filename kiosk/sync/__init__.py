"""Keep the table's side of the line to the director."""
