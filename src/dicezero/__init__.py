"""Plan, learn and measure in games with and without dice."""

from dicezero.rules import check_game, load_game, perft

__all__ = ["check_game", "load_game", "perft"]
