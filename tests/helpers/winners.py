#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tells whether two reports of one study, as CSV, name winners that can both be true.

For every device, problem and kernel, the variants that a report calls best or tied are its winners.
Two reports agree where they have a winner in common. Prints a line each; exit code 1: some disagree.
"""
import csv
import sys


def read_winners(path):
    """The names of the winners by device, app, problem and kernel."""
    winners = {}
    with open(path, encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            names = winners.setdefault((row["device"], row["app"], row["problem"], row["kernel"]), [])
            if row["best"] == "yes":
                names.insert(0, row["variant"])
            elif row["tied"] == "yes":
                names.append(row["variant"])
    return winners


def main():
    if len(sys.argv) != 3:
        sys.exit("Usage: winners.py REPORT.csv REPORT.csv")
    first, second = (read_winners(path) for path in sys.argv[1:])
    if not first or first.keys() != second.keys():
        sys.exit("winners.py: the reports are not about the same kernels and problems")
    agreed = True
    for key, names in first.items():
        agree = bool(set(names) & set(second[key]))
        agreed = agreed and agree
        print(f"{' '.join(filter(None, key))}: {'agree' if agree else 'DISAGREE'}: "
              f"{', '.join(names) or 'none'} | {', '.join(second[key]) or 'none'}")
    sys.exit(0 if agreed else 1)


if __name__ == "__main__":
    main()
