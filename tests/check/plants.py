# SPDX-License-Identifier: BSD-3-Clause
"""Kernels with a planted fault each, and right ones beside them: a study of those of a file, and what was found.

    plants.py study FILE PART     writes PREFIXnn.cl and FILE.ini here, of all kernels, every third one or the others
    plants.py judge FILE PART JSON     compares what `clopt check --json` found with what the file wants
"""
import json
import os
import re
import sys

A_PROGRAM = 12  # kernels: each launch compiles all of its file
OUTPUTS = {"y": "int[n]", "z": "int[n]", "w": "int[n]", "v": "int4[n / 4]", "b": "uchar[n]", "s": "short[n]",
           "h": "half[n]", "f": "float[n]"}
SHARED = {"x": "input int[n] ramp(0, 1)", "i": "input int[n] ramp(0, 1)", "c": "input int[16] ramp(0, 1)",
          "t": "local int[16]", "n": "int n", "p": "input uchar[n] integers(0, 9)", "q": "input half[n] uniform(0, 1)",
          "k": "input short[n] integers(0, 9)", "m": "inout int[8] zero"}
NDRANGES = {"2": ("16, 4", "4, 4"), "3": ("8, 4, 2", "4, 2, 2")}


def read(path, part):
    """All lines, and of each kernel that belongs to the part: (what is wanted, name, parameters)."""
    lines = open(path).read().splitlines(keepends=True)
    kernels = []
    for number, line in enumerate(lines):
        if line.startswith("// want: "):
            name, declared = re.match(r"kernel void (\w+)\(([^)]*)\)", lines[number + 1]).groups()
            kernels.append((line.split()[2], name, declared))
    third = {"all": lambda k: True, "third": lambda k: k % 3 == 0, "others": lambda k: k % 3}[part]
    return lines, [kernel for number, kernel in enumerate(kernels) if third(number)]


def write_study(path, part):
    lines, kernels = read(path, part)
    stem = os.path.splitext(os.path.basename(path))[0]
    with open(f"{stem}.ini", "w") as study:
        study.write("[limits]\nlaunch = 30min\n\n")
        for first in range(0, len(kernels), A_PROGRAM):
            few = kernels[first:first + A_PROGRAM]
            app, own = f"{stem}{first}", tuple(f"kernel void {name}(" for _, name, _ in few)
            with open(f"{app}.cl", "w") as source:
                source.writelines(line for line in lines if not line.startswith("kernel void") or line.startswith(own))
            write_app(study, app, few)


def write_app(study, app, kernels):
    arguments, steps, used = "", "", set()
    for number, (_, name, declared) in enumerate(kernels):
        words = [re.sub(r".*[ *]", "", word.strip()) for word in declared.split(",")]
        arguments += "".join(f"{word}_{name} = output {OUTPUTS[word]}\n" for word in words if word in OUTPUTS)
        used.update(word for word in words if word in SHARED)
        words = [f"{word}_{name}" if word in OUTPUTS else word for word in words]
        ndrange = NDRANGES.get(name[-1], ("n", "16"))
        steps += (f"[step {app} {number + 1}]\nkernel = {name}\narguments = {', '.join(words)}\n"
                  f"global = {ndrange[0]}\nlocal = {ndrange[1]}\n")
    arguments += "".join(f"{word} = {SHARED[word]}\n" for word in SHARED if word in used)
    study.write(f"[app kernel {app}]\nsource = {app}.cl\noptions = -cl-opt-disable\n[size {app}]\nn = 64\n[arguments {app}]\n{arguments}{steps}")


def judge(path, part, found_path):
    """A fault may bring others with it, but no kernel that is right has any."""
    found = {}
    for finding in json.load(open(found_path))["findings"]:
        found.setdefault(finding["kernel"], set()).add(finding["kind"])
    faults = named = right = accused = 0
    for want, name, _ in read(path, part)[1]:
        kinds = found.get(name, set())
        faults += want != "nothing"
        named += want in kinds
        right += want == "nothing"
        accused += want == "nothing" and bool(kinds)
        if kinds if want == "nothing" else want not in kinds:
            print(f"{name}: {want} wanted, found: {' '.join(sorted(kinds)) or 'nothing'}", file=sys.stderr)
    print(f"{os.path.basename(path)}: {named} of {faults} faults found by name, {accused} of {right} right kernels accused")
    return named < faults or accused > 0


if sys.argv[1] == "study":
    write_study(sys.argv[2], sys.argv[3])
else:
    sys.exit(judge(*sys.argv[2:5]))
