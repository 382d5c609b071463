"""The studio: games between people and agents, and their grades, in a browser, over HTTP and over a pipe."""
