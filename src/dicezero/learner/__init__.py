"""From games to better weights."""
