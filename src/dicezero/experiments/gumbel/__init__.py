"""The Gumbel paper's experiments: bandits, the cost of self-play, learning by number of simulations."""
