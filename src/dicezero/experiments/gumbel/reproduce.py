"""``dicezero reproduce gumbel``: the parts of the experiment, each with data, figures and verdicts."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from dicezero.experiments.gumbel import bandit_study, speed
from dicezero.experiments.gumbel.bandit_claims import judge
from dicezero.experiments.gumbel.bandit_figures import draw_bandits
from dicezero.experiments.gumbel.blocks import blocks
from dicezero.experiments.gumbel.evaluation import evaluation
from dicezero.experiments.gumbel.methods import get_method
from dicezero.experiments.gumbel.request import Request, read_data
from dicezero.experiments.gumbel.studies import STUDIES
from dicezero.experiments.gumbel.sweep import learn
from dicezero.experiments.result import write_result
from dicezero.rules.extras import require_extra
from dicezero.rules.names import nearest, quote

Part = Callable[[Request], dict[str, Any]]


def bandits(request: Request) -> dict[str, Any]:
    """Sections 2 to 4 and appendices A to D: ``bandits.json`` and four figures."""
    whole, scale, begin = bandit_study.Sizes(), request.scale, time.perf_counter()
    sizes = bandit_study.Sizes(
        small=scale.part(whole.small, 20),
        draws=scale.part(whole.draws, 20),
        large=scale.part(whole.large, 40),
    )
    path, seed = request.out / "bandits.json", request.seeds[0]
    asked = {"sizes": json.loads(json.dumps(asdict(sizes))), "seeds": [seed]}
    data = read_data(path)
    if data is None or any(data.get(key) != value for key, value in asked.items()):
        data = {"hours": 0.0}
    if "verdicts" not in data:
        before = data["hours"]

        def write(results: dict[str, Any]) -> None:
            hours = before + (time.perf_counter() - begin) / 3600
            write_result(path, {"sizes": asked["sizes"], **results}, seeds=[seed], hours=hours)

        results = bandit_study.study(sizes, seed=seed, known=data, keep=write, say=request.say)
        data = {"verdicts": judge(results), **results}
        write(data)
    draw_bandits(request.out, data)
    return {"verdicts": data["verdicts"]}


def table_1(request: Request) -> dict[str, Any]:
    """Table 1: ``speed.json``; measured anew each time."""
    begin, seed = time.perf_counter(), request.seeds[0]
    sizes = speed.Sizes(seconds=max(0.05, request.scale.factor))
    data = speed.measure_speed(sizes, seed=seed, say=request.say)
    hours = (time.perf_counter() - begin) / 3600
    write_result(request.out / "speed.json", data, seeds=[seed], hours=hours)
    return {"verdicts": data["verdicts"]}


PARTS: dict[str, Part] = {
    "bandits": bandits,
    "speed": table_1,
    **{name: partial(learn, study=study) for name, study in STUDIES.items()},
    "evaluation": evaluation,
    "blocks": blocks,
}
_NEEDS = {name: study.needs for name, study in STUDIES.items()} | {"evaluation": ("bitbully",)}


def reproduce_gumbel(request: Request, parts: Sequence[str] = ()) -> dict[str, Any]:
    """Runs what is not done yet of these parts (all of them without any), in order.

    Raises:
        ValueError: a part or an algorithm that there is not, or the solver is missing; nothing was written.
    """
    for name in parts:
        if name not in PARTS:
            raise ValueError(f"parts: unknown {quote(name)}; {nearest(name, PARTS)}give {', '.join(PARTS)}")
    for name in request.algorithms:
        get_method(name)
    wanted = [name for name in PARTS if not parts or name in parts]
    for name in wanted:
        require_extra(*_NEEDS.get(name, ()), command=f"dicezero reproduce gumbel --parts {name}")
        if name in STUDIES:
            STUDIES[name].chosen(request.algorithms)
    begin, results = time.perf_counter(), {}
    for name in wanted:
        results[name] = PARTS[name](request)
    return {"parts": results, "hours": (time.perf_counter() - begin) / 3600}
