"""The studio: games between people and agents, graded and told, in the browser, over HTTP and over a pipe."""
