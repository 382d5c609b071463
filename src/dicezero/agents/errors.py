"""What is raised for a mistake in naming an agent."""


class AgentError(ValueError):
    """An agent that cannot be had: an unknown name, a wrong parameter, or a game that does not suit it."""
