"""Ray itself: found or refused in one line, started here or joined, and left as it was."""

from __future__ import annotations

import atexit
import contextlib
import importlib
import logging
import os
import signal
import socket
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dicezero.selfplay.runtime import RayConfig, RuntimeUnavailableError

_PROBE_SECONDS = 5.0  # to connect, and as long again to be greeted
# Weights and some chunks of games; Ray by itself would take a third of the memory.
_STORE_BYTES = 128 << 20
# What opens an HTTP/2 connection, Ray's way to speak: the preface and an empty SETTINGS frame (type 4).
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])


def import_ray(*, local: bool) -> Any:
    """The module ``ray``.

    Raises:
        RuntimeUnavailableError: it is not installed.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # chunks of a task that has failed already
    if local:  # Ray's switch for machines that are no part of a cluster: every port on 127.0.0.1 alone
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise RuntimeUnavailableError(
            f'--runtime ray needs dicezero[ray]: pip install "dicezero[ray]" ({error})'
        ) from error


def check_address(address: str) -> None:
    """Sees that Ray, or something that speaks as it does, answers there: Ray's own attempt takes minutes.

    Raises:
        RuntimeUnavailableError: nobody answers within ten seconds.
    """
    if address in ("auto", "local"):
        return
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit() or not 0 < int(port) < 65536:
        raise RuntimeUnavailableError(
            f"address {address!r} is not host:port; Ray's own port is 6379, e.g. --address 10.0.0.1:6379"
        )
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_PROBE_SECONDS) as link:
            if os.environ.get("RAY_USE_TLS", "0") in (
                "0",
                "",
            ):  # else it waits for a handshake that is Ray's affair
                link.sendall(_GREETING)
                answer = link.recv(9)
                if len(answer) < 4 or answer[3] != 4:
                    raise OSError("what listens there is not Ray")
    except OSError as error:
        raise RuntimeUnavailableError(
            f"no Ray cluster answers at {address} ({error}); start one with 'ray start --head', "
            "correct --address, or leave it out to start Ray here"
        ) from None


@dataclass(frozen=True)
class Connection:
    """Ray, and whether this process began the connection."""

    ray: Any
    own: bool
    cores: int  # the number of workers that can run at a time
    raylet: Any = None  # the process (Popen) where Ray was started here

    def is_alive(self) -> bool:
        """Whether Ray's own process on this machine, which everything goes through, is there.

        Ray itself notices after a quarter of a minute, and then ends this process without a message of ours.
        """
        return self.raylet is None or self.raylet.poll() is None

    def close(self) -> None:
        """Ends what was begun here: the connection, and Ray itself where it was started here."""
        if not self.own:
            return
        if self.is_alive():
            self.ray.shutdown()
            return
        # Ray's own way to end would end this process too, before it has printed why.
        worker = self.ray._private.worker
        atexit.unregister(worker.shutdown)
        with contextlib.suppress(Exception):  # what is left of Ray here is ended with its parts in any state
            worker._global_node.kill_all_processes(check_alive=False, allow_graceful=False)


def connect(config: RayConfig) -> Connection:
    """Ray as the configuration wants it; a connection this process already has is used and left open.

    Raises:
        RuntimeUnavailableError: Ray is not installed, cannot be started or does not let us in.
    """
    ray = import_ray(local=config.address is None)
    if ray.is_initialized():
        return Connection(ray, own=False, cores=_cores(ray))
    if config.address is not None:
        check_address(config.address)
        options: dict[str, Any] = {"address": config.address}
    else:
        options = {
            "address": "local",  # whatever RAY_ADDRESS says
            "num_cpus": config.workers or _own_cores(),
            "include_dashboard": False,
            "object_store_memory": _STORE_BYTES,
        }
    # On a busy machine Ray's own patience with its processes, thirty seconds, may be too short once.
    for attempts_left in reversed(range(2 if config.address is None else 1)):
        try:
            with warnings.catch_warnings():
                # JAX warns of forks; Ray's children run another program at once.
                warnings.filterwarnings("ignore", r"os\.fork\(\) was called", RuntimeWarning)
                ray.init(logging_level=logging.ERROR, log_to_driver=False, **options)
            break
        except Exception as error:
            ray.shutdown()
            if not attempts_left:
                raise RuntimeUnavailableError(_refusal(config, error)) from error
    return Connection(ray, own=True, cores=_cores(ray), raylet=_raylet(ray))


def _refusal(config: RayConfig, error: Exception) -> str:
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    if config.address is None:
        return f"Ray cannot be started here ({reason}); try again when it is less busy, or --runtime local"
    return (
        f"Ray at {config.address} does not let us in ({reason}); install the same Python and Ray "
        "here as there, or use --runtime local"
    )


@contextlib.contextmanager
def unhurried() -> Iterator[None]:
    """Ctrl-C again must not stop the clearing up that the first one began."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _raylet(ray: Any) -> Any:
    """The process that Ray was started with here; None where that is not known."""
    node = getattr(getattr(getattr(ray, "_private", None), "worker", None), "_global_node", None)
    processes = getattr(node, "all_processes", {}).get("raylet", [])
    return getattr(processes[0], "process", None) if processes else None


def _cores(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _own_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
