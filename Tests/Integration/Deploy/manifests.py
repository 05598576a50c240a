#!/usr/bin/env python3
"""Holds the manifests of deploy/kubernetes against the schemas of Kubernetes, and against what their own text promises.

    Tests/Integration/Deploy/manifests.py [FOLDER]

Every mistake is one line; the status is 1 where there is one. Each manifest is validated strictly (a key that Kubernetes does
not know is a mistake) against the oldest and the newest version of Kubernetes that the manifests are for.
"""
import pathlib
import shutil
import subprocess
import sys

from tools import ROOT, use_requirements

if __name__ == "__main__":
    use_requirements()

import kubernetes_validate  # noqa: E402
import yaml  # noqa: E402

# backoffLimitPerIndex and podFailurePolicy without a switch: 1.29. Both are final since 1.33.
OLDEST = "1.29"
USER = 10001


class Mistakes(list):
    def __init__(self, where):
        super().__init__()
        self.where = where

    def expect(self, found, expected, what):
        if found != expected:
            self.append(f"{self.where}: {what} is {found!r}, expected {expected!r}")


def pod_of(manifest):
    """The specification of the pods that a manifest makes; None where it makes none."""
    if manifest["kind"] == "Pod":
        return manifest["spec"]
    return manifest.get("spec", {}).get("template", {}).get("spec")


def containers_of(pod):
    return pod.get("initContainers", []) + pod["containers"]


def schema_mistakes(where, manifest):
    versions = [OLDEST, kubernetes_validate.latest_version()]
    for version in versions:
        try:
            kubernetes_validate.validate(manifest, version, strict=True)
        except kubernetes_validate.ValidationError as error:
            path = ".".join(map(str, error.path)) or "the manifest"
            yield f"{where}: Kubernetes {version}: {path}: {error.message}"
        except kubernetes_validate.SchemaNotFoundError as error:
            yield f"{where}: Kubernetes {version}: {error.message}"


def pod_mistakes(where, pod):
    """A pod has no rights that it does not need, and what it mounts is there."""
    found = Mistakes(where)
    security = pod.get("securityContext", {})
    found.expect(pod.get("automountServiceAccountToken"), False, "automountServiceAccountToken")
    found.expect(security.get("runAsNonRoot"), True, "securityContext.runAsNonRoot")
    found.expect(security.get("runAsUser"), USER, "securityContext.runAsUser")
    found.expect(security.get("seccompProfile"), {"type": "RuntimeDefault"}, "securityContext.seccompProfile")
    volumes = {volume["name"] for volume in pod.get("volumes", [])}
    mounted = set()
    for container in containers_of(pod):
        name = f"container {container['name']}: "
        limited = container.get("securityContext", {})
        found.expect(limited.get("allowPrivilegeEscalation"), False, name + "allowPrivilegeEscalation")
        found.expect(limited.get("readOnlyRootFilesystem"), True, name + "readOnlyRootFilesystem")
        found.expect(limited.get("capabilities"), {"drop": ["ALL"]}, name + "capabilities")
        resources = container.get("resources", {})
        found.expect(sorted(resources.get("limits", {})), ["cpu", "memory"], name + "what resources.limits name")
        found.expect(resources.get("requests"), resources.get("limits"), name + "resources.requests")
        mounts = {mount["name"] for mount in container.get("volumeMounts", [])}
        mounted |= mounts
        for mount in sorted(mounts - volumes):
            found.append(f"{where}: {name}mounts the volume {mount!r}, which the pod does not have")
    for volume in sorted(volumes - mounted):
        found.append(f"{where}: no container mounts the volume {volume!r}")
    return found


def job_mistakes(where, manifest):
    """No load is sent twice, and the number of shards is the same wherever it stands."""
    found = Mistakes(where)
    spec = manifest["spec"]
    pod = pod_of(manifest)
    found.expect(pod.get("restartPolicy"), "Never", "restartPolicy")
    if spec.get("completionMode") != "Indexed":
        found.expect(spec.get("backoffLimit"), 0, "backoffLimit")
        return found
    found.expect(spec.get("backoffLimitPerIndex"), 0, "backoffLimitPerIndex")
    found.expect("backoffLimit" in spec, False, "that there is a backoffLimit, which would end all shards with the first,")
    found.expect(spec.get("podReplacementPolicy"), "Failed", "podReplacementPolicy")
    found.expect(spec.get("parallelism"), spec.get("completions"), "parallelism")
    found.expect(shards_of(manifest), {str(spec.get("completions"))}, "MURPHY_SHARDS")
    labels = spec["template"]["metadata"]["labels"]
    affinity = pod.get("affinity", {}).get("podAntiAffinity", {}).get("requiredDuringSchedulingIgnoredDuringExecution", [])
    found.expect([(term["topologyKey"], term["labelSelector"]["matchLabels"]) for term in affinity],
                 [("kubernetes.io/hostname", labels)], "what keeps shards on nodes of their own (podAntiAffinity)")
    for constraint in pod.get("topologySpreadConstraints", []):
        found.expect(constraint["labelSelector"]["matchLabels"], labels, "topologySpreadConstraints: labelSelector")
    return found


def variable(manifest, name):
    """The values of a variable in all containers of a manifest."""
    return {entry.get("value") for container in containers_of(pod_of(manifest) or {"containers": []})
            for entry in container.get("env", []) if entry["name"] == name}


def shards_of(manifest):
    return variable(manifest, "MURPHY_SHARDS")


def agreement_mistakes(folder, manifests):
    """Manifests that are applied together name the same run, shards, claims and ConfigMaps."""
    found = Mistakes(folder)
    made = {(manifest["kind"], manifest["metadata"]["name"]) for manifest in manifests}
    for name in ["MURPHY_SHARDS", "MURPHY_RUN"]:
        values = set().union(*(variable(manifest, name) for manifest in manifests))
        if len(values) > 1:
            found.append(f"{folder}: {name} has several values: {', '.join(sorted(values))}")
    for manifest in manifests:
        for volume in (pod_of(manifest) or {}).get("volumes", []):
            for key, kind, name in [("configMap", "ConfigMap", "name"),
                                    ("persistentVolumeClaim", "PersistentVolumeClaim", "claimName")]:
                if key in volume and (kind, volume[key][name]) not in made:
                    found.append(f"{folder}: no manifest makes the {kind} {volume[key][name]!r} that "
                                 f"{manifest['kind']} {manifest['metadata']['name']!r} mounts")
    return found


def scenario_mistakes(folder, manifests):
    """The ConfigMap holds the files of the folder scenario as they are."""
    found = Mistakes(folder / "manifests/scenario.yaml")
    files = {file.name: file.read_text() for file in sorted((folder / "scenario").iterdir())}
    for manifest in manifests:
        if manifest["kind"] == "ConfigMap":
            found.expect(sorted(manifest["data"]), sorted(files), "what data names")
            for name in files.keys() & manifest["data"].keys():
                if manifest["data"][name] != files[name]:
                    found.append(f"{found.where}: data.{name} is not what scenario/{name} holds")
    return found


def read(where, text):
    """The manifests of a text, and its mistakes."""
    try:
        return [manifest for manifest in yaml.safe_load_all(text) if manifest], []
    except yaml.YAMLError as error:
        return [], [f"{where}: no YAML: {' '.join(str(error).split())}"]


def mistakes_of(where, manifests):
    for manifest in manifests:
        if not isinstance(manifest, dict) or not {"apiVersion", "kind", "metadata"} <= manifest.keys():
            yield f"{where}: a manifest without apiVersion, kind or metadata"
            continue
        kind = f"{where}: {manifest['kind']} {manifest['metadata'].get('name')}"
        found = list(schema_mistakes(kind, manifest))
        yield from found
        if not found and (pod := pod_of(manifest)):
            yield from pod_mistakes(kind, pod)
            if manifest["kind"] == "Job":
                yield from job_mistakes(kind, manifest)


def kustomized(folder):
    """What kustomize makes of the folder, and mistakes; None where there is no kubectl."""
    if not shutil.which("kubectl"):
        return None
    done = subprocess.run(["kubectl", "kustomize", folder], capture_output=True, text=True)
    if done.returncode != 0:
        return [], [f"{folder}/kustomization.yaml: kubectl kustomize: {done.stderr.strip()}"]
    where = f"kubectl kustomize {folder}"
    manifests, mistakes = read(where, done.stdout)
    return manifests, [*mistakes, *mistakes_of(where, manifests), *agreement_mistakes(where, manifests)]


def validate(folder):
    """All mistakes of a folder of manifests, and how many manifests there are."""
    mistakes, count, groups = [], 0, {}
    for file in sorted(folder.glob("*/*.yaml")):
        if file.parent.name == "scenario":
            continue
        where = file.relative_to(folder)
        manifests, unread = read(where, file.read_text())
        mistakes += [*unread, *mistakes_of(where, manifests)]
        groups.setdefault(file.parent.name, []).extend(manifests)
        count += len(manifests)
    plain = groups.get("manifests", [])
    try:
        # The folders upload and try are used together with the folder manifests.
        for name, manifests in groups.items():
            more = [manifest for manifest in plain if pod_of(manifest) is None] if name != "manifests" else []
            mistakes += agreement_mistakes(name, manifests + more)
        mistakes += scenario_mistakes(folder, plain)
    except (KeyError, TypeError) as error:
        # Such a manifest is in the list already.
        mistakes.append(f"{folder}: the manifests could not be held against each other: {error!r}")
    made = kustomized(folder)
    if made is None:
        print("kustomization.yaml is not validated: install kubectl (the Debian package kubernetes-client)", file=sys.stderr)
    else:
        count += len(made[0])
        mistakes += made[1]
    if count == 0:
        mistakes.append(f"{folder}: no manifest in its folders; expected some")
    return mistakes, count


if __name__ == "__main__":
    chosen = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "deploy/kubernetes"
    mistakes, count = validate(chosen)
    print("\n".join(mistakes) or f"{count} manifests, no mistakes; Kubernetes {OLDEST} to "
          f"{kubernetes_validate.latest_version()}")
    sys.exit(1 if mistakes else 0)
