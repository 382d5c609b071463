"""Plan, learn and measure in games with and without dice."""
