# SPDX-License-Identifier: BSD-3-Clause
"""What bench/peers does in Python: tunes with Kernel Tuner, writes clopt's study over the same space,
and measures winners."""
import csv
import json
import os
import statistics
import sys

PARAMETERS = {
    "BLOCK_X": [16, 32, 64],
    "BLOCK_Y": [2, 4, 8, 16, 32],
    "TILE_X": [1, 2, 4, 8],
    "TILE_Y": [1, 2, 4, 8],
}
RESTRICTION = "BLOCK_X == BLOCK_Y * TILE_Y"
SAMPLES = 7  # Kernel Tuner's own default


def name_of(values):
    return ",".join(f"{key}={values[key]}" for key in PARAMETERS)


def values_of(name):
    return {key: int(value) for key, value in (pair.split("=") for pair in name.split(","))}


def write_study(size, aim):
    """clopt's study: all of its own defaults but the aim."""
    print(f"""[study]
title = multiply
[device peer]
platform = *
[app kernel]
source = multiply.cl
options = -DSIZE={size}
kernel = multiply
global = ceildiv({size}, BLOCK_X * TILE_X) * BLOCK_X, ceildiv({size}, BLOCK_Y * TILE_Y) * BLOCK_Y
local = BLOCK_X, BLOCK_Y
operations = 2 * {size} ** 3
[arguments]
c = output float[{size}, {size}]
a = input float[{size}, {size}] uniform(0, 1)
b = input float[{size}, {size}] uniform(0, 1)
[results]
c = relative 1e-4
[constraints]
tiles = {RESTRICTION}
[measure]
peaks = no
aim = {aim}""")
    for key, values in PARAMETERS.items():
        print(f"[parameter {key}]\nvalues = {', '.join(map(str, values))}")
        if key == "BLOCK_Y":
            print("initial = 16")


def find_platform(part):
    import pyopencl

    for number, platform in enumerate(pyopencl.get_platforms()):
        if part.lower() in platform.name.lower():
            return number
    sys.exit(f"no platform {part}")


def make_data(size):
    import numpy

    random = numpy.random.default_rng(1)
    a, b = (random.random((size, size), dtype=numpy.float32) for _ in range(2))
    return numpy.zeros((size, size), dtype=numpy.float32), a, b


def tune(part, size):
    import kernel_tuner

    c, a, b = make_data(size)
    results, _ = kernel_tuner.tune_kernel(
        "multiply", "multiply.cl", (size, size), [c, a, b], PARAMETERS, lang="OpenCL",
        platform=find_platform(part), device=0, restrictions=[RESTRICTION],
        block_size_names=["BLOCK_X", "BLOCK_Y", "BLOCK_Z"],
        grid_div_x=["BLOCK_X", "TILE_X"], grid_div_y=["BLOCK_Y", "TILE_Y"],
        compiler_options=[f"-DSIZE={size}"], answer=[a @ b, None, None], atol=size * 1e-4,
        iterations=SAMPLES, cache="peer.json", verbose=False, quiet=True)
    tell_peer(results)
    os._exit(0)  # PoCL may abort when pyopencl gives its memory back


def tell_peer(results):
    good = [result for result in results if isinstance(result.get("time"), float)]
    if not good:
        sys.exit("Kernel Tuner measured nothing")
    best = min(good, key=lambda result: result["time"])
    print("trials", len(results))
    print("failed", len(results) - len(good))
    print("samples", min(len(result["times"]) for result in good))
    print("winner", name_of(best), flush=True)


def salvage():
    """What Kernel Tuner had in its cache file when it died, which it leaves without an end."""
    text = open("peer.json", encoding="utf-8").read().rstrip().rstrip(",")
    for end in ("", "}}", "}"):
        try:
            results = json.loads(text + end)["cache"].values()
            break
        except ValueError:
            continue
    tell_peer(list(results))


def winner():
    """The fastest row of a report in CSV; its name begins with what is not initial."""
    rows = [row for row in csv.DictReader(sys.stdin) if row["outcome"] == "ok"]
    best = min(rows, key=lambda row: float(row["median_ns"]))
    values = {key: 16 if key == "BLOCK_Y" else list_[0] for key, list_ in PARAMETERS.items()}
    if "=" in best["variant"]:
        values.update(values_of(best["variant"]))
    print(name_of(values))


def measure(part, size, names):
    """Times both in turns, so that what disturbs one disturbs the other."""
    import numpy
    import pyopencl

    device = pyopencl.get_platforms()[find_platform(part)].get_devices()[0]
    context = pyopencl.Context([device])
    queue = pyopencl.CommandQueue(
        context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE)
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    buffers = [pyopencl.Buffer(context, flags, hostbuf=array) for array in make_data(size)]
    source = open("multiply.cl", encoding="utf-8").read()
    kernels, times = [], [[], []]
    for name in names:
        values = values_of(name)
        options = [f"-DSIZE={size}"] + [f"-D{key}={value}" for key, value in values.items()]
        kernel = pyopencl.Program(context, source).build(options=options).multiply
        local = (values["BLOCK_X"], values["BLOCK_Y"])
        divisors = (values["BLOCK_X"] * values["TILE_X"], values["BLOCK_Y"] * values["TILE_Y"])
        kernels.append((kernel, tuple(-(-size // d) * l for d, l in zip(divisors, local)), local))
    for run in range(32):
        for which, (kernel, shape, local) in enumerate(kernels):
            event = kernel(queue, shape, local, *buffers)
            event.wait()
            if run:  # the first may compile
                times[which].append(event.profile.end - event.profile.start)
    peer, own = (statistics.median(series) * 1e-6 for series in times)
    print(f"its winner takes {own:.3f} ms, Kernel Tuner's {peer:.3f} ms: {own / peer:.3f} times")


def platforms():
    import pyopencl

    for platform in pyopencl.get_platforms():
        if any(d.type & pyopencl.device_type.CPU for d in platform.get_devices()):
            print(platform.name)


def main():
    command, *rest = sys.argv[1:]
    if command == "study":
        write_study(int(rest[0]), rest[1])
    elif command == "tune":
        tune(rest[0], int(rest[1]))
    elif command == "salvage":
        salvage()
    elif command == "winner":
        winner()
    elif command == "measure":
        measure(rest[0], int(rest[1]), rest[2:])
    elif command == "platforms":
        platforms()
    else:
        sys.exit(f"{command}: unknown command")


main()
