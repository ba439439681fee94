#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the winner of a kernel in a file that `clopt export --wisdom` wrote, and how to launch it.

    library.py FILE KERNEL DEVICE LOCAL GLOBAL

Prints the winner's name, its build options, its global and local size, and the values of arguments
that it takes in addition. Its source is what clopt_winner_source() returns: build and launch it by
the binding of OpenCL that you use.
"""
import ctypes
import sys

clopt = ctypes.CDLL("libclopt.so.0")


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("message", ctypes.c_char * 2048)]


class Wanted(ctypes.Structure):
    _fields_ = [("kernel", ctypes.c_char_p), ("source", ctypes.c_char_p), ("options", ctypes.c_char_p),
                ("device", ctypes.c_char_p), ("sizes", ctypes.c_size_t * 3)]


class Launch(ctypes.Structure):
    _fields_ = [("sizes", ctypes.c_size_t * 3), ("local", ctypes.c_size_t * 3), ("added_count", ctypes.c_size_t),
                ("added", ctypes.c_uint64 * 8), ("zeroed", ctypes.c_bool * 8)]


clopt.clopt_wisdom_find.restype = ctypes.c_void_p
for function in ("name", "options", "source"):
    getattr(clopt, f"clopt_winner_{function}").restype = ctypes.c_char_p
    getattr(clopt, f"clopt_winner_{function}").argtypes = [ctypes.c_void_p]
clopt.clopt_winner_map.restype = ctypes.c_char_p
clopt.clopt_winner_map.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.POINTER(ctypes.c_size_t),
                                   ctypes.POINTER(ctypes.c_size_t), ctypes.POINTER(ctypes.c_int64),
                                   ctypes.POINTER(Launch)]

path, kernel, device = (word.encode() for word in sys.argv[1:4])
local, sizes = ((ctypes.c_size_t * 3)(int(word)) for word in sys.argv[4:6])
error, wisdom, launch = Error(), ctypes.c_void_p(), Launch()
if clopt.clopt_wisdom_open(path, ctypes.byref(wisdom), ctypes.byref(error)):
    sys.exit(f"library.py: {error.message.decode()}")
wanted = Wanted(kernel, None, None, device, sizes)
winner = clopt.clopt_wisdom_find(wisdom, ctypes.byref(wanted))
if not winner:
    sys.exit("library.py: no winner is known: launch your own kernel")
obstacle = clopt.clopt_winner_map(winner, 1, sizes, local, None, ctypes.byref(launch))
if obstacle:
    sys.exit(f"library.py: this launch does not fit: {obstacle.decode()}")
print(clopt.clopt_winner_name(winner).decode(), clopt.clopt_winner_options(winner).decode())
print("global", launch.sizes[0], "local", launch.local[0], "added", launch.added[:launch.added_count])
clopt.clopt_wisdom_close(wisdom)
