"""The rulebook as plain Python: state in, changes out. No clock, no database, no hidden dice."""
