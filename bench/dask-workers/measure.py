"""What `run` starts inside the interpreter that has isogon and dask; prints JSON, see README.md."""

import argparse
import hashlib
import json
import sys
import tempfile
import time

import numpy as np


def options():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("points", "dimension", "fitted", "chunk", "repeat"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--workers", type=int, nargs="+", required=True)
    return parser.parse_args()


def made(begin, end, dimension):
    """Rows begin to end of the made points: around 200 directions, by 1,000 rows a seed, so that chunks do not count."""
    centres = np.random.default_rng(0).normal(size=(200, dimension))
    rows = []
    for block in range(begin // 1000, -(-end // 1000)):
        random = np.random.default_rng([1, block])
        rows.append(centres[random.integers(200, size=1000)] + 0.4 * random.normal(size=(1000, dimension)))
    first = begin // 1000 * 1000
    return np.concatenate(rows)[begin - first : end - first].astype(np.float32)


def forget_peak():
    """Of this process's memory: so that starting and importing do not count."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return memory("VmRSS")


def memory(what="VmHWM"):
    with open("/proc/self/status") as file:
        return 1024 * next(int(line.split()[1]) for line in file if line.startswith(what))


def digest_of(paths):
    numbers = hashlib.sha256()
    for path in paths:
        numbers.update(np.load(path).tobytes())
    return numbers.hexdigest()


def measured(given, clusters, model, x, workers):
    """One run of so many workers: seconds from the call to whole files, those of the workers' cores, the files' digest,
    bytes of the largest worker."""
    from distributed import Client, LocalCluster

    with tempfile.TemporaryDirectory() as folder, LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None, memory_limit=0
    ) as cluster, Client(cluster) as client:
        client.run(lambda: __import__("isogon.dask"))
        before = client.run(forget_peak)
        worked = sum(client.run(time.process_time).values())
        began = time.perf_counter()
        paths = clusters.write_npy(clusters.transform(model, x), folder)
        seconds = time.perf_counter() - began
        after = client.run(memory)
        worked = sum(client.run(time.process_time).values()) - worked
        more = max(after[worker] - before[worker] for worker in after)
        return {"workers": workers, "seconds": seconds, "cpu": worked, "digest": digest_of(paths), "bytes": more}


def main():
    given = options()
    import dask.array as da

    import isogon
    import isogon.dask as clusters

    with tempfile.TemporaryDirectory() as folder:
        for begin in range(0, given.points, given.chunk):
            end = min(given.points, begin + given.chunk)
            np.save(f"{folder}/{begin:012d}.npy", made(begin, end, given.dimension))
        paths = sorted(f"{folder}/{begin:012d}.npy" for begin in range(0, given.points, given.chunk))
        x = clusters.read_npy(paths)
        model = clusters.fit(isogon.Faithful(16, iterations=30), x, n_samples=given.fitted)
        alone = hashlib.sha256()
        began, worked = time.perf_counter(), time.process_time()
        for path in paths:
            alone.update(model.set_params(n_jobs=1).transform(np.load(path)).tobytes())
        seconds, worked = time.perf_counter() - began, time.process_time() - worked
        result = {"alone": {"seconds": seconds, "cpu": worked, "digest": alone.hexdigest()}}
        result["stated"] = clusters.memory(model, x)
        result["runs"] = []
        for _ in range(given.repeat):
            for workers in given.workers:
                result["runs"].append(measured(given, clusters, model, x, workers))
        other = clusters.transform(model, x.rechunk({0: 3 * given.chunk // 7}))
        result["other chunks"] = hashlib.sha256(other.compute(scheduler="threads").tobytes()).hexdigest()
    assert isinstance(x, da.Array)
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
