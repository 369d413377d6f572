"""A post-game run: its steps, what it waits for, what was rolled and decided so far."""
