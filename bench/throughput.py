# SPDX-License-Identifier: BSD-3-Clause
"""What bench/throughput does in Python: bare processes that build, clopt's study over the same
programs, and a look at its store while it runs."""
import ctypes
import multiprocessing
import os
import sqlite3
import sys
import time


def write_study(count):
    """Every program differs in one macro, of which no kernel's code depends."""
    print(f"""[study]
title = throughput
[device bench]
platform = *
[app kernel]
source = lud.cl
kernel = lud_diagonal
global = 16
local = 16
[arguments]
m = inout float[16, 16] uniform(1, 2)
matrix_dim = int 16
offset = int 0
[results]
m = relative 1e-3
[parameter PROGRAM]
values = 1..{count}
[measure]
aim = winner
processes = 1
min_samples = 1
max_samples = 3""")


def write_source(path):
    """kernels/lud.cl with what its study says of it otherwise."""
    print("#define BLOCK_SIZE 16\n#define TRANSPOSED 0\n__constant int program = PROGRAM;")
    print(open(path, encoding="utf-8").read())


def summarize(began, ends):
    """Seconds until the first build, builds a second in the middle, seconds in all, builds."""
    ends = sorted(ends)
    if len(ends) < 10:
        sys.exit(f"only {len(ends)} programs were built")
    low, high = len(ends) // 10, len(ends) * 9 // 10
    print(ends[0] - began, (high - low) / (ends[high] - ends[low]), time.monotonic() - began, len(ends))


class OpenCL:
    """One device, and how a program is built for it: every call but the first ones may fail."""

    def __init__(self, part):
        self.library = ctypes.CDLL("libOpenCL.so.1")
        for name in ("clCreateContext", "clCreateProgramWithSource"):
            getattr(self.library, name).restype = ctypes.c_void_p
        self.device = ctypes.c_void_p(self.find_device(part.lower().encode()))
        code = ctypes.c_int()
        self.context = ctypes.c_void_p(self.library.clCreateContext(
            None, 1, ctypes.byref(self.device), None, None, ctypes.byref(code)))
        self.check("clCreateContext", code.value)

    def check(self, call, code):
        if code:
            sys.exit(f"{call}: {code}")

    def find_device(self, part):
        count = ctypes.c_uint()
        self.check("clGetPlatformIDs", self.library.clGetPlatformIDs(0, None, ctypes.byref(count)))
        platforms = (ctypes.c_void_p * count.value)()
        self.library.clGetPlatformIDs(count, platforms, None)
        for platform in platforms:
            name = ctypes.create_string_buffer(1024)
            self.library.clGetPlatformInfo(ctypes.c_void_p(platform), 0x0902, 1024, name, None)
            device = ctypes.c_void_p()
            if part in name.value.lower() and not self.library.clGetDeviceIDs(
                    ctypes.c_void_p(platform), ctypes.c_ulong(0xFFFFFFFF), 1, ctypes.byref(device), None):
                return device.value
        sys.exit(f"no platform {part.decode()}")

    def build(self, source, options):
        code = ctypes.c_int()
        program = ctypes.c_void_p(self.library.clCreateProgramWithSource(
            self.context, 1, ctypes.byref(ctypes.c_char_p(source)), None, ctypes.byref(code)))
        self.check("clCreateProgramWithSource", code.value)
        self.check("clBuildProgram", self.library.clBuildProgram(
            program, 1, ctypes.byref(self.device), options, None, None))
        self.library.clReleaseProgram(program)


def build_some(part, path, numbers, ends):
    source = open(path, "rb").read()
    device = OpenCL(part)
    for number in numbers:
        device.build(source, f"-D PROGRAM={number} -D CLOPT_BUILD={os.getpid()}".encode())
        ends.put(time.monotonic())
    ends.close()
    ends.join_thread()
    os._exit(0)  # runtimes may crash when they end


def run_bare(part, path, count, jobs):
    """Processes are forked before OpenCL is opened."""
    began = time.monotonic()
    ends = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=build_some, args=(
        part, path, range(first + 1, count + 1, jobs), ends)) for first in range(jobs)]
    for worker in workers:
        worker.start()
    times = [ends.get() for _ in range(count)]
    for worker in workers:
        worker.join()
    summarize(began, times)


def watch(store):
    """Notes when the store gets to know of builds, until the study is over."""
    began, ends, over = time.monotonic(), [], False
    while not over:
        over = os.path.exists(store + ".over")
        time.sleep(0.01)
        try:
            with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as reader:
                built = reader.execute("select count(*) from trial where build_ns > 0").fetchone()[0]
        except sqlite3.Error:  # there is no store yet
            continue
        ends += [time.monotonic()] * (built - len(ends))
    summarize(began, ends)


if __name__ == "__main__":
    command, arguments = sys.argv[1], sys.argv[2:]
    if command == "study":
        write_study(int(arguments[0]))
    elif command == "source":
        write_source(arguments[0])
    elif command == "bare":
        run_bare(arguments[0], arguments[1], int(arguments[2]), int(arguments[3]))
    elif command == "watch":
        watch(arguments[0])
