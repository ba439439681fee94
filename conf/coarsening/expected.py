# SPDX-License-Identifier: BSD-3-Clause
"""What the programs of this folder and of ../vectorization compute, by NumPy: the program of [reference] in clopt-kernel(5).

    clopt -c mt.ini -s "reference.program=python3 expected.py mt"

Called as `expected.py PROGRAM FOLDER NAME=VALUE...`: FOLDER has the inputs as NAME.npy, and gets the
results as such. Nothing here is taken from the kernels but what they are to compute.
"""
import glob
import math
import os
import sys

import numpy


def binarySearch(keys, table, n, count):
    return {"positions": numpy.searchsorted(table, keys, side="left").astype("i4")}


def normal(x):
    """The distribution function of the normal distribution, by its error function."""
    return (1 + numpy.frompyfunc(math.erf, 1, 1)(x / 2**0.5).astype("f8")) / 2


def blackscholes(price, strike, years, n, rate=0.02, volatility=0.3):
    spread = volatility * numpy.sqrt(years)
    d1 = (numpy.log(price / strike) + (rate + volatility**2 / 2) * years) / spread
    discounted = strike * numpy.exp(-rate * years)
    call = price * normal(d1) - discounted * normal(d1 - spread)
    return {"call": call, "put": call - price + discounted}


def convolution(weights, width, height, **images):
    return ic(weights, width, height, **{"in": numpy.pad(images["in"], 2, mode="edge")})


def dwtHaar1D(samples, differences, blocks):
    averages = samples
    for level in range(10):
        left, right = averages[0::2], averages[1::2]
        differences[len(left) : 2 * len(left)] = (left - right) / 2**0.5
        averages = (left + right) / 2**0.5
    return {"averages": averages, "differences": differences}


def fastWalsh(data, stages):
    for stage in range(stages):
        pairs = data.reshape(-1, 2, 2**stage)
        data = numpy.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
    return {"data": data.ravel()}


def floydWarshall(ways, n, passes):
    for k in range(passes):
        ways = numpy.minimum(ways, ways[:, k, None] + ways[None, k, :])
    return {"ways": ways}


def mriQ(x, y, z, samples, n, sample_count):
    waves = samples[:, 3] * numpy.exp(2j * numpy.pi * (numpy.stack([x, y, z], 1) @ samples[:, :3].T))
    total = waves.sum(axis=1)
    return {"real": total.real, "imaginary": total.imag}


def mt(width, height, **matrices):
    return {"out": matrices["in"].T}


def mv(matrix, vector, width, height):
    return {"result": matrix @ vector}


def mm(a, b, n):
    return {"c": a @ b}


def ic(weights, width, height, **images):
    windows = numpy.lib.stride_tricks.sliding_window_view(images["in"], (5, 5))
    return {"out": numpy.einsum("yxji,ji->yx", windows, weights.reshape(5, 5))}


def nbody(bodies, n, softening=0.01):
    away = bodies[None, :, :3] - bodies[:, None, :3]
    distance = numpy.sqrt((away**2).sum(axis=2) + softening)
    pull = (bodies[None, :, 3] / distance**3)[..., None] * away
    return {"accelerations": numpy.pad(pull.sum(axis=1), ((0, 0), (0, 1)))}


def reduce(x, n):
    block = -(-n // 256)
    return {"sums": [x[g * block : (g + 1) * block].sum() for g in range(256)]}


def sgemm(a, b, c, rows, columns, inner, alpha=1.5, beta=0.5):
    return {"c": alpha * (a @ b) + beta * c}


def sobel(image, width, height):
    windows = numpy.lib.stride_tricks.sliding_window_view(image, (3, 3))
    across = numpy.einsum("yxji,ji->yx", windows, [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    down = numpy.einsum("yxji,ji->yx", windows, [[-1, -2, -1], [0, 0, 0], [1, 2, 1]])
    return {"edges": numpy.minimum(numpy.hypot(across, down) / 2, 255).astype("u1")}


def spmv(values, columns, starts, x, rows):
    row = numpy.repeat(numpy.arange(rows), numpy.diff(starts))
    return {"y": numpy.bincount(row, values * x[columns], minlength=rows)}


def sor(red, black, width, height, steps, omega=1.5):
    """On the grid as a whole, with what no colour has left out."""
    grid = numpy.zeros((height + 2, 2 * width + 4))
    row, column = numpy.indices(grid.shape)
    # Row y of the arrays' inside is row y + 1 here, and column c there is c + 2.
    is_red = (row + column) % 2 == 1
    grid[is_red] = red.ravel()
    grid[~is_red] = black.ravel()
    for step in range(2 * steps):
        sides = sum(numpy.roll(grid, by, axis) for by in (1, -1) for axis in (0, 1))
        relaxed = grid + omega * (sides / 4 - grid)
        inside = (row % (height + 1) > 0) & (column > 1) & (column < 2 * width + 2)
        grid = numpy.where(inside & (is_red == (step % 2 == 0)), relaxed, grid)
    return {"red": grid[is_red].reshape(red.shape), "black": grid[~is_red].reshape(black.shape)}


def stencil(before, after, width, height, depth, own=0.4, other=0.1):
    sides = sum(numpy.roll(before, by, axis) for by in (1, -1) for axis in range(3))
    inner = (slice(1, -1),) * 3
    after[inner] = (own * before + other * sides)[inner]
    return {"after": after}


def main(program, folder, *sizes):
    compute = {"mtLocal": mt, "mvCoal": mv, "mvUncoal": mv, "bs": blackscholes}.get(program)
    compute = compute or globals()[program]
    given = {name: int(value) for name, value in (size.split("=") for size in sizes)}
    for file in glob.glob(folder + "/*.npy"):
        # In double precision, so that what is compared are the kernel's own roundings.
        buffer = numpy.load(file)
        given[os.path.basename(file)[: -len(".npy")]] = buffer.astype("i8" if buffer.dtype.kind in "iu" else "f8")
    for name, result in compute(**given).items():
        kind = {"ways": "i4", "positions": "i4", "edges": "u1"}.get(name, "f4")
        numpy.save(folder + "/" + name, numpy.ascontiguousarray(result, dtype=kind))


if __name__ == "__main__":
    main(*sys.argv[1:])
