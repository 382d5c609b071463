"""deploy/: the manifest has only fields that KubeRay's ray.io/v1 knows, and runs a command that exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import tyro

from dicezero.cli.train import Train
from dicezero.presets.registry import get_preset

yaml = pytest.importorskip("yaml", reason="pip install dicezero[dev]")

ROOT = Path(__file__).parents[2]
# KubeRay's API reference, ray.io/v1: every field of the parts that are used.
FIELDS = {
    "RayJobSpec": "activeDeadlineSeconds backoffLimit rayClusterSpec submitterPodTemplate metadata suspend "
    "clusterSelector submitterConfig managedBy deletionStrategy entrypoint runtimeEnvYAML submissionMode "
    "entrypointResources entrypointNumCpus entrypointNumGpus ttlSecondsAfterFinished "
    "shutdownAfterJobFinishes jobId",
    "RayClusterSpec": "suspend managedBy autoscalerOptions headServiceAnnotations enableInTreeAutoscaling "
    "gcsFaultToleranceOptions headGroupSpec rayVersion workerGroupSpecs",
    "HeadGroupSpec": "template headService enableIngress rayStartParams serviceType",
    "WorkerGroupSpec": "suspend groupName replicas minReplicas maxReplicas idleTimeoutSeconds numOfHosts "
    "rayStartParams template scaleStrategy",
}


def known(kind, data):
    assert set(data) <= set(FIELDS[kind].split()), kind
    return data


@pytest.fixture(scope="module")
def manifest():
    return list(yaml.safe_load_all((ROOT / "deploy" / "kuberay.yaml").read_text(encoding="utf-8")))


def test_every_field_is_one_of_the_api(manifest):
    claim, job = manifest
    assert (job["apiVersion"], job["kind"]) == ("ray.io/v1", "RayJob")
    cluster = known("RayClusterSpec", known("RayJobSpec", job["spec"])["rayClusterSpec"])
    head = known("HeadGroupSpec", cluster["headGroupSpec"])
    groups = [known("WorkerGroupSpec", group) for group in cluster["workerGroupSpecs"]]
    for group in (head, *groups):
        assert all(isinstance(value, str) for value in group["rayStartParams"].values())  # a map of texts
    pod = head["template"]["spec"]
    mounts = {mount["name"]: mount["mountPath"] for mount in pod["containers"][0]["volumeMounts"]}
    claims = {v["name"]: v["persistentVolumeClaim"]["claimName"] for v in pod["volumes"]}
    assert claims == {"runs": claim["metadata"]["name"]}
    assert f"--out {mounts['runs']}/" in job["spec"]["entrypoint"]


def test_the_command_is_one_of_ours_and_the_workers_fit(manifest):
    spec = manifest[1]["spec"]
    words = shlex.split(spec["entrypoint"])
    assert words[:2] == ["dicezero", "train"]
    command = tyro.cli(Train, args=words[2:], config=(tyro.conf.FlagCreatePairsOff,))
    get_preset(command.preset)
    assert (command.runtime, command.address, command.resume) == ("ray", "auto", True)
    group = spec["rayClusterSpec"]["workerGroupSpecs"][0]
    cpus = int(group["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"])
    assert command.workers == group["maxReplicas"] * cpus


def test_one_version_of_ray_everywhere(manifest):
    pinned = re.search(r"^ray==(\S+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert pinned
    assert manifest[1]["spec"]["rayClusterSpec"]["rayVersion"] == pinned[1]
    assert f"rayproject/ray:{pinned[1]}-py3" in (ROOT / "deploy" / "Dockerfile").read_text()
