"""The folder of a run: configuration, checkpoints, metrics, events, report, and what plays from it."""
