#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails where a report says more than its interval allows: sentences.py FILE..., each a report that people read, or one
in CSV (clopt report --csv). tests/lib.sh has all reports of the test suite read by it."""
import csv
import re
import sys

# A number that says how much faster or slower something is, and the sentence that follows it.
RATIO = re.compile(r"([0-9.]+) times (?:as fast|as long|less energy|those in A|as [a-z]+ as)\b(.*)")
INTERVAL = re.compile(r"\[([0-9.e+-]+), ([0-9.e+-]+)\]")
SHOWN_WITHIN = 0.1  # "no difference" leaves at most so much open: report/results/verdict.h
ROUNDED = 0.006     # of numbers with three digits


def check_sentence(sentence):
    """What is wrong with a sentence of a report; None: nothing."""
    said = RATIO.search(sentence)
    if not said or re.search(r"[0-9.]+ to [0-9.]+ times|\bup to |\bat best |measured of it|would be", sentence):
        return None  # a range over kernels, each of which has a sentence of its own; or a guess
    if re.search(r"not decided", sentence[:said.start()]):
        return None
    if not re.search(r"as the initial code|as long as|those in A", sentence):
        return None
    interval = INTERVAL.search(said.group(2))
    if not interval:
        return "has no interval"
    ratio, low, high = float(said.group(1)), float(interval.group(1)), float(interval.group(2))
    if not low * (1 - ROUNDED) <= ratio <= high * (1 + ROUNDED):
        return "has an interval without it"
    mean = "on average over" in sentence
    return "is said, and 1 is in its interval" if low < 1 < high and not mean else None


def check_text(text):
    # Lines that are wrapped go on further to the right; grids have no sentences.
    joined = re.sub(r"\n {5,}", " ", text)
    for line in joined.splitlines():
        for sentence in re.split(r"(?<=[^.0-9])[.;] ", line):
            wrong = check_sentence(sentence)
            if wrong:
                yield f"{sentence.strip()}: {wrong}"


# What says how near the best something is, and what says that nothing can be said.
NEAR = re.compile(r"within ([0-9.]+)% of the best|none (?:of these|is left that) is over ([0-9.]+)% better|none is left")
OPEN = re.compile(r"too noisy to say|not decided|too few processes")
TOLD = re.compile(r"none yet|ha(?:s|ve) a time|were tried")  # how many were not measured
BEST = re.compile(r"^ *(?:[-*] )?(?:Best on|On) ")


def check_certainty(text):
    """Sentences that say how near the best something is: beside one that says that this is not known, of what was
    not measured, or without a help."""
    best, unmeasured = "", "not measured yet" in text
    alone = len(re.findall(r"Best on ", text)) == 1  # a kernel on a device: what is not measured is of it
    for line in re.sub(r"\n {5,}(?=[a-z(])", " ", text).splitlines():
        best = line if BEST.match(line) else best
        near = NEAR.search(line)
        if not near:
            continue
        said = line.strip()
        if OPEN.search(re.sub(r"Noise floor.*", "", best)) or OPEN.search(line):
            yield f"{said}: beside what is not decided"
        if near.group(1) and float(near.group(1)) > 100:
            yield f"{said}: helps nobody"
        if unmeasured and near.group(0).startswith("none is left"):
            yield f"{said}: some were not measured"
        if unmeasured and alone and near.group(1) and not TOLD.search(line):
            yield f"{said}: without how many were not measured"


def number(text):
    return float(text) if text else float("nan")


def check_verdict(row, prefix):
    """The verdict on one speed-up of a row."""
    verdict, different = row[prefix + "verdict"], row[prefix + "different"] == "yes"
    low, high = number(row[prefix + "speedup_low"]), number(row[prefix + "speedup_high"])
    decided = verdict in ("faster", "slower")
    if different != decided:
        yield f"verdict {verdict}, different: {different}"
    if verdict == "faster" and not low > 1 or verdict == "slower" and not high < 1:
        yield f"{verdict} with [{low}, {high}]"
    if verdict in ("faster", "slower", "same") and row[prefix + "speedup_attained"] != "yes":
        yield f"{verdict}, and the interval is not of 95%"
    if verdict == "same" and max(high - 1, 1 / low - 1) > SHOWN_WITHIN + 1e-9:
        yield f"no difference with [{low}, {high}]"
    if (decided or row[prefix + "best"] == "yes") and row["verified"] != "yes":
        yield "is ranked, and its result was not verified"


def check_rows(rows):
    for row in rows:
        for prefix in ("", "run_"):
            for wrong in check_verdict(row, prefix):
                yield f"{row['kernel']} {row['variant']} on {row['device']}: {prefix}{wrong}"


def check(path):
    with open(path, encoding="utf-8", errors="replace", newline="") as stream:
        text = stream.read()
    if text.startswith("app,problem,kernel,variant,"):
        return list(check_rows(csv.DictReader(text.splitlines(keepends=True))))
    return list(check_text(text)) + list(check_certainty(text))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    wrong = [f"{path}: {what}" for path in sys.argv[1:] for what in check(path)]
    print("\n".join(wrong), end="\n" if wrong else "")
    sys.exit(1 if wrong else 0)


main()
