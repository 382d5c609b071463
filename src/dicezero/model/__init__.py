"""Networks: their shapes and first weights, their formulas for training, and the players that answer fast."""
