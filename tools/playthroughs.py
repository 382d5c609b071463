"""Writes tests/golden/playthrough_GAME.json, one random game of each (python tools/playthroughs.py).

Run it only after a change of the rules that is meant; the diff of the files shows what changed.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dicezero.rules import load_game

GOLDEN = Path(__file__).parent.parent / "tests" / "golden"
COMMAND = "python tools/playthroughs.py"
GAMES = (
    "nannon",
    "tic_tac_toe",
    "connect_four",
    "2048",
    "backgammon",
    "einstein_wurfelt_nicht",
    "banqi",
    "go",
    "chess",
    "gardner_chess",
)
OPENINGS = {"go": 25, "chess": 60}  # long games with many moves: so many actions are enough
LONGEST = 256  # digits of an observation that are written out; a longer one, or one with fractions, is hashed
SEED = 2024


def playthrough(name: str, actions: list[int] | None = None) -> dict[str, Any]:
    """A game and all that its states show: the given actions, or random ones from SEED."""
    rng = random.Random(f"{name}/{SEED}")
    game = load_game(name)
    state: Any = game.new_initial_state()
    steps = []
    while True:
        legal = state.legal_actions()
        step = {
            "board": str(state).splitlines(),
            "player": state.current_player(),
            "legal": {state.action_to_string(a): a for a in legal},
            "chance": state.chance_outcomes(),
            "observations": [_digits(state.observation_tensor(p)) for p in range(game.num_players())],
            "key": state.key(),
            "serialized": state.serialize(),
        }
        steps.append(step)
        if not legal or len(steps) > OPENINGS.get(name, len(steps)):
            break
        step["action"] = rng.choice(legal) if actions is None else actions[len(steps) - 1]
        state.apply_action(step["action"])
    how = {"command": COMMAND, "seed": SEED, "moves": "uniform over the legal actions, chance outcomes too"}
    return {"game": str(game), "made_by": how, "returns": state.returns(), "steps": steps}


def _digits(tensor: NDArray[np.float32]) -> str:
    if len(tensor) <= LONGEST and (tensor == tensor.astype(int)).all():
        return "".join(str(int(value)) for value in tensor)
    return hashlib.sha256(np.round(tensor * 1e4).astype("<i4").tobytes()).hexdigest()[:16]


def main() -> int:
    """Writes every file."""
    for name in GAMES:
        path = GOLDEN / f"playthrough_{name}.json"
        path.write_text(json.dumps(playthrough(name), indent=1) + "\n", encoding="utf-8")
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
