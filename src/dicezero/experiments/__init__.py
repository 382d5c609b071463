"""A paper's experiment each: what is run, how it is measured, and the figure."""
