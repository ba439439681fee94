# SPDX-License-Identifier: BSD-3-Clause
"""Ratios of times that the same worker processes took, from a store, with confidence intervals.

A ratio is the geometric mean over processes of the ratio of medians; its 95% interval follows from
Student's t over the processes, which are the independent units.
"""
import math
import os
import sqlite3
import statistics
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))

# 97.5% quantiles of Student's t; beyond 30 degrees of freedom the last one is on the safe side.
T_QUANTILES = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179,
               2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
               2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def fail(message, code=1):
    print(f"{os.path.basename(sys.argv[0])}: {message}", file=sys.stderr)
    sys.exit(code)


def add_options(parser):
    parser.add_argument("-d", "--device", default="Portable Computing Language",
                        help="a part of the platform's name, such as NVIDIA [%(default)s]")
    parser.add_argument("-b", "--build", default=os.getcwd(),
                        help="where clopt was built [the working directory]")


def check_build(options):
    options.build = os.path.abspath(options.build)
    if not os.access(os.path.join(options.build, "clopt"), os.X_OK):
        fail(f"{options.build}: clopt was not built there; say where with -b", 2)


def run_study(path, store, options, overrides=()):
    """Runs a study with the build tree's plugins and those of bench; its report is not printed."""
    environment = dict(os.environ)
    environment["CLOPT_PLUGIN_PATH"] = ":".join(
        os.path.join(options.build, folder) for folder in ("plugins", "bench"))
    environment["CLOPT_KERNEL_PATH"] = os.path.join(SOURCE, "kernels")
    command = [os.path.join(options.build, "clopt"), "-q", "-c", path, "-o", store,
               "-s", "measure.peaks=no"]
    for override in overrides:
        command += ["-s", override]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    # With 4, some variant was wrong: the reader of the store says which.
    if done.returncode not in (0, 4):
        fail(f"{' '.join(command)}: {done.stderr.strip()}", done.returncode)


class Variant:
    """A row of a store's newest run: how it ended, and its samples by worker process, in ns."""

    def __init__(self, row):
        self.kernel, self.name, self.trial, self.outcome, self.reason = row
        self.samples = {}

    def median(self):
        return statistics.median(time for times in self.samples.values() for time in times)


def read_variants(store):
    """Returns the variants of a store, in the study's order."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    variants = [Variant(row) for row in connection.execute(
        "SELECT kernel, name, trial, outcome, reason FROM variants"
        " WHERE run = (SELECT max(id) FROM run) ORDER BY ordinal")]
    for variant in variants:
        for process, time in connection.execute(
                "SELECT process, time_ns FROM samples WHERE trial = ? AND kernel = ?",
                (variant.trial, variant.kernel)):
            variant.samples.setdefault(process, []).append(time)
    connection.close()
    return variants


def differences(above, below):
    """Returns the logarithms of the ratio of two variants' times, one for each worker process that
    measured both."""
    return [math.log(statistics.median(above.samples[process])) -
            math.log(statistics.median(below.samples[process]))
            for process in above.samples if process in below.samples]


def compare(above, below):
    """Returns the mean logarithm of the ratio of two variants' times, its standard error and
    degrees of freedom; None where no two worker processes measured both."""
    found = differences(above, below)
    if len(found) < 2:
        return None
    return statistics.mean(found), statistics.stdev(found) / math.sqrt(len(found)), len(found) - 1


def compare_through(reference, above, below):
    """The same through a third variant, where no two worker processes measured both. What one
    process measured, since it was abandoned then, is taken to vary from process to process as much
    as the rest."""
    direct = compare(above, below)
    if direct:
        return direct
    parts = [differences(above, reference), differences(reference, below)]
    spreads = [statistics.stdev(part) for part in parts if len(part) > 1]
    if not all(parts) or not spreads:
        return None
    errors = [(statistics.stdev(part) if len(part) > 1 else max(spreads)) / math.sqrt(len(part))
              for part in parts]
    return (sum(map(statistics.mean, parts)), math.hypot(*errors),
            min(len(part) - 1 for part in parts if len(part) > 1))


def combine(estimates):
    """Returns the estimate of the geometric mean of ratios."""
    count = len(estimates)
    return (sum(mean for mean, _, _ in estimates) / count,
            math.sqrt(sum(error * error for _, error, _ in estimates)) / count,
            min(freedom for _, _, freedom in estimates))


def format_ratio(estimate):
    mean, error, freedom = estimate
    half = error * T_QUANTILES[min(freedom, len(T_QUANTILES)) - 1]
    interval = f"[{math.exp(mean - half):.3f}, {math.exp(mean + half):.3f}]"
    return f"{math.exp(mean):8.3f}  {interval:<16}"
