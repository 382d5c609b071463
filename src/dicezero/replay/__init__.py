"""What was played, kept and turned into targets."""
