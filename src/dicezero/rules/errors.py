"""What is raised for a mistake in naming or writing a game."""


class GameError(ValueError):
    """A game that cannot be had: an unknown name, a wrong parameter, a trait or method that does not fit."""
