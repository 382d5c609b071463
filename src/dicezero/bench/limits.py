"""What the machine can do: the measured rate of NumPy's matrix product, most of a dense network's work."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache

# Runs in a process of its own: a BLAS reads its number of threads when it is loaded.
_MEASURE = """
import time
import numpy as np
best = 0.0
for rows, size in ((256, 256), (512, 512), (1024, 1024)):
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((n, size)).astype(np.float32) for n in (rows, size))
    out = np.empty((rows, size), np.float32)
    end = time.perf_counter() + 0.4
    while time.perf_counter() < end:
        start = time.perf_counter()
        np.matmul(a, b, out=out)
        best = max(best, 2 * rows * size * size / (time.perf_counter() - start))
print(best / 1e9)
"""


@cache
def sgemm_gflops(cores: int = 1) -> float:
    """Best measured GFLOP/s of float32 products, by ``cores`` single-threaded processes at once."""
    if cores < 1:
        raise ValueError(f"cores={cores!r} must be at least 1")
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
    environment = os.environ | dict.fromkeys(threads, "1")
    command = [sys.executable, "-c", _MEASURE]
    # Sessions of their own: a terminal's Ctrl-C is for this process, which then ends them without a word.
    running = [
        subprocess.Popen(  # noqa: S603
            command, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        for _ in range(cores)
    ]
    try:
        return sum(float(process.communicate()[0]) for process in running)
    finally:
        for process in running:
            process.kill()
            process.wait()


def all_cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
