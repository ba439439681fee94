#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A pool of workers that is not as it should be: starts a right one (tests/helpers/stub_pool) and passes on what it says, but for what the mode says.

Usage: hostile_pool.py MODE STUB_POOL ARGUMENT ...; without arguments prints all modes."""

import os
import select
import signal
import struct
import subprocess
import sys
import time

MAGIC = b"\nclopt worker pool\n"


def frame(kind, channel, data):
    return struct.pack(">IIc", len(data), channel, kind) + data


def message(text):
    return struct.pack(">I", len(text)) + text


def send(data):
    while data:
        try:
            data = data[os.write(1, data) :]
        except OSError:
            sys.exit(0)


def forever(data, pause=0.2):
    """Says the same again and again until nobody listens."""
    while True:
        send(data)
        time.sleep(pause)


# What is said in the place of all.
INSTEAD = {
    "silent": lambda: time.sleep(1000),
    "drips": lambda: forever(b".", 0.3),
    "babbles": lambda: forever(b"hello\n" * 1000, 0),
    "magic-alone": lambda: (send(MAGIC), time.sleep(1000)),
    "magic-twice": lambda: (send(MAGIC), forever(MAGIC, 0)),
    "ends": lambda: sys.exit(0),
    "fails": lambda: sys.exit(3),
    "is-killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "loud": lambda: (os.write(2, b"\x1b[31mred\n" * 200000), sys.exit(1)),
    "long-frame": lambda: (send(MAGIC + b"\xff\xff\xff\xff\0\0\0\0A"), forever(b"x" * 65536, 0)),
    "zeros": lambda: (send(MAGIC), forever(b"\0" * 65536, 0)),
    "no-identity": lambda: (send(MAGIC), forever(frame(b"a", 0, b""))),
    "ready-unknown": lambda: (send(MAGIC), forever(frame(b"w", 0, b'{"files":[]}'))),
    "identity-text": lambda: (send(MAGIC), forever(frame(b"i", 0, b"not JSON"))),
    "identity-long": lambda: (send(MAGIC + frame(b"i", 0, b'{"version":"' + b"9" * 10**7 + b'"}')), time.sleep(1000)),
}

# What becomes of a frame from the right pool, of (kind, channel, data); None: nothing is sent.
WANTS = {
    "never-ready": b"a",
    "wants-one-for-ever": frame(b"w", 0, b'{"files":[0]}'),
    "wants-one-often": frame(b"w", 0, b'{"files":[' + b",".join([b"0"] * 3000000) + b"]}"),
    "wants-one-twice": frame(b"w", 0, b'{"files":[0,0]}'),
    "wants-text": frame(b"w", 0, b'{"files":["a"]}'),
    "wants-nothing": frame(b"w", 0, b"{}"),
    "wants-less-than-none": frame(b"w", 0, b'{"files":[-1]}'),
    "wants-more-than-all": frame(b"w", 0, b'{"files":[99]}'),
    "wants-nonsense": frame(b"w", 0, b"\xff\xfe"),
    "wants-numbers": frame(b"w", 0, b'{"files":[1e300,null,[],{}]}'),
}
LIST_ANSWERS = {
    "list-nonsense": b"nonsense",
    "list-array": b"[]",
    "list-empty": b"{}",
    "list-none": b'{"devices":[]}',
    "list-no-device": b'{"devices":[{"name":7}]}',
    "list-many": b'{"devices":[' + b",".join([b"{}"] * 400000) + b"]}",
    "list-fails": b'{"status":3,"message":"' + b"no " * 100000 + b'"}',
    "list-status": b'{"status":-5,"message":5}',
}
# What a worker says of each request, or does.
WORKERS = {
    "answers-for-ever": lambda channel: forever(frame(b"A", channel, b"x" * 65536), 0),
    "answers-zeros-for-ever": lambda channel: forever(frame(b"A", channel, b"\0" * 1000000), 0),
    "answers-half-for-ever": lambda channel: (
        send(frame(b"A", channel, b"\x0f\xff\xff\xff")),
        forever(frame(b"A", channel, b" " * 1000000), 0),
    ),
    "notes-for-ever": lambda channel: forever(frame(b"N", channel, message(b'{"stage":"open"}') * 1000), 0),
    "notes-half-for-ever": lambda channel: (
        send(frame(b"N", channel, b"\x0f\xff\xff\xff")),
        forever(frame(b"N", channel, b" " * 1000000), 0),
    ),
    "takes-memory": lambda channel: send(frame(b"U", channel, b'{"memory":-1,"printed":-1}')),
    "crashes": lambda channel: send(frame(b"X", channel, b'{"status":11}')),
    "exits-wordy": lambda channel: send(frame(b"X", channel, b'{"status":256,"words":"' + b"w" * 900000 + b'"}')),
    "exits-too-wordy": lambda channel: send(frame(b"X", channel, b'{"status":256,"words":"' + b"w" * 5000000 + b'"}')),
    "others-for-ever": lambda channel: forever(b"".join(frame(b"A", 1000 + i, b"x") for i in range(1000)), 0),
    "alive-for-ever": lambda channel: forever(frame(b"a", 0, b"") * 1000, 0),
    "wants-late": lambda channel: forever(frame(b"w", 0, b'{"files":[0]}')),
    "identity-late": lambda channel: forever(frame(b"i", 0, b'{"version":"0","abi":1}')),
    "no-answer": lambda channel: None,
    "pool-ends": lambda channel: sys.exit(0),
    "silent-then": lambda channel: time.sleep(1000),
}
# The same, once the devices are listed.
LATE = {f"then-{name}": action for name, action in WORKERS.items() if name not in ("wants-late", "identity-late", "silent-then")}
OTHERS = ["identity-twice", "never-exits"]


class Pool:
    def __init__(self, mode, command):
        self.mode = mode
        self.listed = False
        self.right = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def from_right(self, kind, channel, data):
        """Passes on a frame of the right pool, or what is said in its place."""
        mode = self.mode
        if kind == b"i" and mode == "identity-twice":
            send(frame(kind, channel, data) * 2)
        elif kind == b"w" and mode in WANTS:
            if mode == "never-ready":
                forever(frame(b"a", 0, b""))
            elif mode == "wants-one-for-ever":
                forever(WANTS[mode])
            else:
                send(WANTS[mode])
        elif kind == b"A" and mode in LIST_ANSWERS and b'"devices"' in data:
            send(frame(kind, channel, message(LIST_ANSWERS[mode])[:65536]))
            for at in range(65536, len(LIST_ANSWERS[mode]) + 4, 65536):
                send(frame(kind, channel, message(LIST_ANSWERS[mode])[at : at + 65536]))
        elif kind != b"X" or mode != "never-exits":
            send(frame(kind, channel, data))
        self.listed = self.listed or (kind == b"A" and b'"devices"' in data)

    def to_right(self, kind, channel, data):
        action = WORKERS.get(self.mode) or (LATE.get(self.mode) if self.listed else None)
        if kind == b"q" and action:
            action(channel)
        else:
            self.right.stdin.write(frame(kind, channel, data))
            self.right.stdin.flush()

    def run(self):
        send(MAGIC)
        ends = {0: (b"", self.to_right), self.right.stdout.fileno(): (b"", self.from_right)}
        skip = len(MAGIC)
        while True:
            for end in select.select(list(ends), [], [])[0]:
                got = os.read(end, 65536)
                if not got:
                    return
                if end and skip:
                    skip, got = max(0, skip - len(got)), got[skip:]
                left, take = ends[end]
                left += got
                while len(left) >= 9:
                    length, channel, kind = struct.unpack(">IIc", left[:9])
                    if len(left) < 9 + length:
                        break
                    data, left = left[9 : 9 + length], left[9 + length :]
                    take(kind, channel, data)
                ends[end] = (left, take)


def main():
    if len(sys.argv) < 2:
        print("\n".join([*INSTEAD, *WANTS, *LIST_ANSWERS, *WORKERS, *LATE, *OTHERS]))
        return
    mode = sys.argv[1]
    if mode in INSTEAD:
        INSTEAD[mode]()
        return
    pool = Pool(mode, sys.argv[2:])
    try:
        pool.run()
    finally:
        pool.right.kill()


main()
