# SPDX-License-Identifier: BSD-3-Clause
# What bench/loop takes: which studies to tune, runs in turns, and programs that use modules of PyPI.
import json
import os
import re
import statistics
import subprocess
import sys
import time

LEAST_SHARE = 0.1  # of the time of all kernels
MOST_STUDIES = 4
ENOUGH_S = 20  # of runs
MOST_ROUNDS = 41


def choose(path):
    """Prints the studies of a capture to tune: of each source of a kernel the one with the most time."""
    report = json.load(open(path))
    whole = sum(row["total_ns"] for row in report["kernels"])
    groups = {}
    for row in report["studies"]:
        if row["study"] and row["total_ns"]:
            groups.setdefault((row["kernel"], row["program"]), []).append(row)
    for rows in sorted(groups.values(), key=lambda rows: -sum(row["total_ns"] for row in rows))[:MOST_STUDIES]:
        if sum(row["total_ns"] for row in rows) >= LEAST_SHARE * whole:
            print(max(rows, key=lambda row: row["total_ns"])["study"])


def run(command, environment):
    """Runs a program; returns its seconds by the clock and of processors, and what it printed."""
    begin = time.monotonic()
    process = subprocess.Popen(
        command, env=dict(os.environ, **environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"loop: {command[0]}: exit code {process.returncode}, {environment}")
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime, output


def say(numbers):
    return f"{statistics.median(numbers):.4g} [{min(numbers):.4g}, {max(numbers):.4g}]"


def turns(name, rounds, folder, layer, *command):
    """Runs a program alone, with its winners, and with its own programs kept, too, in turn."""
    before, after = (json.load(open(f"{folder}/{which}.json")) for which in ("before", "after"))
    kernels = [sum(row["total_ns"] for row in report["kernels"]) for report in (before, after)]
    winners = {"OPENCL_LAYERS": layer, "CLOPT_WISDOM": f"{folder}/wisdom"}
    kept = dict(winners, CLOPT_KEEP_BINARIES="1")
    times, begin = {"alone": [], "winners": [], "kept": []}, time.monotonic()
    printed = run(command, {})[2], run(command, winners)[2], run(command, kept)[2]
    # What clpeak prints are times.
    comparable = (lambda text: re.sub(rb"[0-9.]+", b"#", text)) if name == "clpeak" else lambda text: text
    while len(times["winners"]) < int(rounds) or (time.monotonic() - begin < ENOUGH_S and len(times["winners"]) < MOST_ROUNDS):
        for kind, environment in ("alone", {}), ("winners", winners), ("kept", kept):
            *both, output = run(command, environment)
            times[kind].append(both)
            if comparable(output) != comparable(printed[0]):
                sys.exit(f"loop: {name}: other output, {kind}")
    gains, more = (
        [[a[i] / b[i] for a, b in zip(times["alone"], times[kind])] for i in (0, 1)] for kind in ("winners", "kept")
    )
    replaced = sum(row["replaced_launches"] for row in after.get("applied", []))
    print(
        f"{name}: kernels {100 * kernels[0] / before['run_ns']:.0f}% of the run, gain {kernels[0] / max(1, kernels[1]):.3g},"
        f" {replaced} of {sum(row['launches'] for row in after['kernels'])} launches by winners; whole run"
        f" {1e3 * statistics.median(t[0] for t in times['alone']):.4g} ms, gain {say(gains[0])}; processors"
        f" {1e3 * statistics.median(t[1] for t in times['alone']):.4g} ms, gain {say(gains[1])};"
        f" its programs kept: by the clock {say(more[0])}, processors {say(more[1])};"
        f" {len(gains[0])} rounds, the same output",
        flush=True,
    )


def reikna():
    """A product of matrices."""
    import numpy
    import reikna.cluda as cluda
    from reikna.linalg import MatrixMul

    thread = cluda.ocl_api().Thread.create()
    a, b = (numpy.random.RandomState(seed).rand(256, 256).astype(numpy.float32) for seed in (1, 2))
    product = MatrixMul(a, b).compile(thread)
    on_device = thread.to_device(a), thread.to_device(b)
    result = thread.empty_like(a)
    for _ in range(40):
        product(result, *on_device)
    sys.stdout.buffer.write(result.get().tobytes())


def vkfft():
    """Fourier transforms of an image."""
    import numpy
    import pyopencl
    import pyopencl.array
    from pyvkfft.opencl import VkFFTApp

    context = pyopencl.create_some_context(interactive=False)
    queue = pyopencl.CommandQueue(context)
    image = numpy.random.RandomState(1).rand(512, 512).astype(numpy.complex64)
    a, b = pyopencl.array.to_device(queue, image), pyopencl.array.to_device(queue, 0 * image)
    app = VkFFTApp(a.shape, a.dtype, queue, inplace=False)
    for _ in range(40):
        app.fft(a, b)
        app.ifft(b, a)
    sys.stdout.buffer.write(a.get().tobytes())


{"choose": choose, "turns": turns, "reikna": reikna, "vkfft": vkfft}[sys.argv[1]](*sys.argv[2:])
