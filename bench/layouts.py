# SPDX-License-Identifier: BSD-3-Clause
"""What probes of memory access predict of layouts, beside what was measured: for bench/layouts."""
import json
import os
import re
import sqlite3
import subprocess
import sys

LEAST_GAIN = 1.3  # as in plugins/analyses/access.c
LOOPED = 100  # accesses of one that a loop repeats, beside one that none does


def rate(access, probes):
    """GB/s that the probes give for an access, scalar; None: caches have it."""
    item, group, distance = access
    if item == "unknown":
        return probes["scattered"][0]
    if group == "focused":
        return probes["row"][0]
    if distance is None:
        return probes["scattered"][0]
    far = abs(int(distance)) if re.fullmatch(r"-?\d+", distance) else 1 << 30
    if item == "row":
        return probes["apart"][0]
    point = 0
    while point + 1 < len(probes["strided"]) and 1 << point < far:
        point += 1
    return probes["strided"][point] if point else probes[item][0]


def predicted(accesses, probes):
    """A time that tells programs of equal work apart."""
    return sum((LOOPED if access[0] in ("row", "column", "block") else 1) / rate(access, probes)
               for access in accesses)


def analyze(clopt, kernels, description, variant):
    """The accesses of a variant, as a work-item and its neighbours make them."""
    trial = json.loads(description)
    settings = {name: value for section in trial["description"]["sections"]
                if section["name"] == "app" for name, value, _ in section["settings"]}
    source = os.path.join(kernels, settings["source"].strip("<>"))
    text = subprocess.run([clopt, "transform", source, "-k", trial["kernel"], "--variant", variant,
                           "--analyze", "--build-options=" + settings.get("options", "")],
                          check=True, capture_output=True, text=True).stdout
    found = []
    for line in text.split("global memory", 1)[-1].splitlines():
        match = re.search(r":\d+ +(?:read|write|update) +(\w+)(?: \([^)]*\))? +(\w+)"
                          r"(?: \((.*) apart\))?$", line)
        if match:
            found.append((match[1], match[2], match[3]))
    return found


def main():
    clopt, kernels, store, devices, report = sys.argv[1:]
    with open(devices, encoding="utf-8") as file:
        probes = {(d["platform"], d["name"]): d["patterns"] for d in json.load(file)}
    with open(report, encoding="utf-8") as file:
        results = json.load(file)["results"]
    database = sqlite3.connect(store)
    initial = {}
    for label, kernel, patterns in database.execute(
            "SELECT problem.app || ' ' || problem.label, kernel, patterns FROM pattern"
            " JOIN problem ON problem.id = problem"):
        initial[label, kernel] = [(p["work_item"], p["work_group"], p["work_group_distance"])
                                  for p in json.loads(patterns)]
    right = decided = 0
    print(f"{'device':8} {'kernel':14} {'layout':38} {'predicted':>9} {'measured':>9}")
    for row in results:
        match = re.fullmatch(r'memory\(layout="?([^")]*)"?\)', row["variant"])
        if not match or row["speedup"] is None or not row["kernel"]:
            continue
        description, = database.execute("SELECT description FROM variant WHERE trial = ?",
                                        (row["trial"],)).fetchone()
        rates = probes[row["platform"], row["device_name"]]
        before = initial[f"{row['app']} {row['problem']}", row["kernel"]]
        ratio = (predicted(before, rates) /
                 predicted(analyze(clopt, kernels, description, row["variant"]), rates))
        alike = 1 / LEAST_GAIN < ratio < LEAST_GAIN
        verdict = "probes: alike" if alike else "no difference"
        if not alike and row["different"]:
            decided += 1
            agrees = (ratio > 1) == (row["speedup"] > 1)
            right += agrees
            verdict = "right" if agrees else "WRONG"
        print(f"{row['device']:8} {row['kernel']:14} {match[1]:38} {ratio:9.3g}"
              f" {row['speedup']:9.3g}  {verdict}")
    print(f"{right} of {decided} predictions are right")


main()
