# SPDX-License-Identifier: BSD-3-Clause
"""What bench/search does in Python: lets Kernel Tuner simulate its searches in a cache file, and prints
what both tools reach."""
import collections
import contextlib
import csv
import io
import json
import os
import random
import sys
import warnings

# Those that need what pip does not install with Kernel Tuner, or that are no search.
LEFT_OUT = {"brute_force", "pyatf_strategies", "skopt", "nsga2", "nsga3"}


def simulate(path, strategy, budget, repeat):
    """Prints the fraction of the best time that each run of a strategy finds."""
    import kernel_tuner
    import numpy

    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    keys = data["tune_params_keys"]
    measured = [record["time"] for record in data["cache"].values()]
    best = min(time for time in measured if isinstance(time, (int, float)))
    # Kernel Tuner looks at the names of a restriction's arguments.
    names = ", ".join(keys)
    restriction = eval(f"lambda {names}: ','.join(map(str, ({names},))) in recorded",  # pylint: disable=eval-used
                       {"recorded": set(data["cache"])})
    for run in range(repeat):
        random.seed(run)
        numpy.random.seed(run)
        with contextlib.redirect_stdout(io.StringIO()):
            results, _ = kernel_tuner.tune_kernel(
                data["kernel_name"], "", tuple(data["problem_size"]), [],
                {key: data["tune_params"][key] for key in keys}, restrictions=[restriction],
                simulation_mode=True, cache=path, strategy=strategy, lang="C", quiet=True,
                strategy_options={"max_fevals": budget}, seed=run)
        good = [result["time"] for result in results if isinstance(result["time"], (int, float))]
        print(best / min(good) if good else 0.0, flush=True)


def strategies():
    from kernel_tuner.interface import strategy_map

    print("\n".join(sorted(set(strategy_map) - LEFT_OUT)))


def table(folder):
    """Prints a table a space and budget, the best strategy first. Reads clopt's CSV, and a file a strategy
    of Kernel Tuner's, SPACE.STRATEGY.BUDGET, with what `simulate` has printed."""
    rows = collections.defaultdict(list)
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8", newline="") as file:
            if name.endswith(".csv"):
                for row in csv.DictReader(file):
                    if row["by"] == "trials" and row["at"] in os.environ["BUDGETS"].split():
                        space = os.path.basename(row["space"]).removesuffix(".json")
                        rows[space, int(row["at"])].append(
                            (float(row["median"]), float(row["first_quarter"]),
                             float(row["third_quarter"]), f"clopt {row['strategy']}"))
                continue
            runs = sorted(float(line) for line in file)
            space, strategy, budget = name.rsplit(".", 2)
            if not runs:
                continue
            count = len(runs)
            median = (runs[(count - 1) // 2] + runs[count // 2]) / 2
            rows[space, int(budget)].append((median, runs[count // 4], runs[count - 1 - count // 4],
                                             f"Kernel Tuner {strategy}"))
    for (space, budget), found in sorted(rows.items()):
        print(f"{space}, {budget} trials: median [quartiles] of the fraction of the best")
        for median, low, high, name in sorted(found, reverse=True):
            print(f"  {median:.3f} [{low:.3f}, {high:.3f}]  {name}")


def main():
    warnings.simplefilter("ignore")
    command, *rest = sys.argv[1:]
    if command == "simulate":
        simulate(rest[0], rest[1], int(rest[2]), int(rest[3]))
    elif command == "strategies":
        strategies()
    elif command == "table":
        table(rest[0])
    else:
        sys.exit(f"{command}: unknown command")


main()
