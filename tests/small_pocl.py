#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a copy of PoCL 3.1 that starts to compile sooner, for tests.

For each program PoCL has clang read a header that declares some 14,000 built-in functions, and each process reads 10 MB
of bitcode with their bodies before its first program: more than half of what it takes to build a small kernel. The copy
is the same library with the same compiler and the same bodies; left out are the built-in functions whose names occur
nowhere in the sources of clopt, its kernels and its tests. A kernel that called one would not build.
"""
import ctypes
import os
import re
import shutil
import sys

SOURCES = "core", "plugins", "kernels", "conf", "tests"
LIBRARIES = "avx512", "avx2"  # those of today's processors; others are used as they are


def find_names(root):
    """What may be called somewhere in the sources, without numbers; macros may stand for names."""
    names = set()
    word = re.compile(r"[A-Za-z]\w*")
    called = re.compile(r"[A-Za-z]\w*(?= *\()|[A-Za-z]+_\w+")
    for top in SOURCES:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for file in files:
                pattern = word if file.endswith(".cl") else called
                with open(os.path.join(folder, file), encoding="utf-8", errors="replace") as stream:
                    names.update(pattern.findall(stream.read()))
    return {re.sub(r"\d+", "", name) for name in names}


def is_named(name, names):
    """Whether a built-in function may be called: variants change the widths of vectors, and convert what they have."""
    return re.sub(r"\d+", "", name) in names or re.fullmatch(r"convert_[a-z]+\d*", name)


def is_wanted(symbol, names):
    """The same of the bitcode, where they have mangled names: those without one PoCL calls itself."""
    mangled = re.match(r"_Z(\d+)", symbol)
    if not mangled:
        return True
    name = symbol[mangled.end() : mangled.end() + int(mangled[1])]
    return is_named(name.removeprefix("_cl_"), names)


def cut_header(source, target, names):
    declaration = re.compile(r"^[^#]*\b__ovld\b.*[ *](\w+)\(.*\);\s*$")
    with open(source, encoding="utf-8") as stream:
        text = re.sub(r"/\*.*?\*/", "", stream.read(), flags=re.DOTALL)
    with open(target, "w", encoding="utf-8") as out:
        for line in text.splitlines(keepends=True):
            found = declaration.match(line)
            if line.strip() and (not found or is_named(found[1], names)):
                out.write(line)


def load_llvm(library):
    """The LLVM that PoCL itself is linked with."""
    with open(library, "rb") as stream:
        name = re.search(rb"libLLVM-[\d.]+\.so[.\d]*", stream.read())
    llvm = ctypes.CDLL(name[0].decode())
    for function in llvm.LLVMGetFirstFunction, llvm.LLVMGetNextFunction, llvm.LLVMGetFirstUse:
        function.restype = ctypes.c_void_p
        function.argtypes = [ctypes.c_void_p]
    llvm.LLVMDeleteFunction.argtypes = [ctypes.c_void_p]
    llvm.LLVMGetValueName2.restype = ctypes.c_char_p
    llvm.LLVMGetValueName2.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)]
    return llvm


def cut_bitcode(llvm, source, target, names):
    """Takes out functions that nobody calls and no test wants, until there are no more."""
    buffer, module, message = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p()
    if llvm.LLVMCreateMemoryBufferWithContentsOfFile(source.encode(), ctypes.byref(buffer), ctypes.byref(message)):
        sys.exit(f"small_pocl.py: {message.value.decode()}")
    if llvm.LLVMParseBitcode2(buffer, ctypes.byref(module)):
        sys.exit(f"small_pocl.py: {source}: LLVM cannot read it")
    size = ctypes.c_size_t()
    unused = True
    while unused:
        unused = []
        function = llvm.LLVMGetFirstFunction(module)
        while function:
            symbol = llvm.LLVMGetValueName2(function, ctypes.byref(size)).decode()
            if not llvm.LLVMGetFirstUse(function) and not is_wanted(symbol, names):
                unused.append(function)
            function = llvm.LLVMGetNextFunction(function)
        for function in unused:
            llvm.LLVMDeleteFunction(function)
    if llvm.LLVMWriteBitcodeToFile(module, target.encode()):
        sys.exit(f"small_pocl.py: {target}: cannot be written")


def find_pocl():
    """The library that the loader finds, and the folder with its header and bitcode."""
    for folder in "/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib":
        library = os.path.join(folder, "libpocl.so.2.10.0")
        data = "/usr/share/pocl"
        if os.path.exists(library) and os.path.exists(os.path.join(data, "include", "opencl-c.h")):
            return library, data
    sys.exit("small_pocl.py: PoCL 3.1 is not installed")


def copy_pocl(folder, library, data, names):
    """PoCL finds its data, and its devices, by where its library is."""
    home = os.path.join(folder, "lib", "x86_64-linux-gnu")
    os.makedirs(home)
    shutil.copy(library, home)
    shutil.copytree(os.path.join(os.path.dirname(library), "pocl"), os.path.join(home, "pocl"))
    share = os.path.join(folder, "share", "pocl")
    os.makedirs(share)
    shutil.copytree(os.path.join(data, "include"), os.path.join(share, "include"))
    cut_header(os.path.join(data, "include", "opencl-c.h"), os.path.join(share, "include", "opencl-c.h"), names)
    llvm = load_llvm(library)
    for name in os.listdir(data):
        source, target = os.path.join(data, name), os.path.join(share, name)
        if name.endswith(tuple(f"-{processor}.bc" for processor in LIBRARIES)):
            cut_bitcode(llvm, source, target, names)
        elif name.endswith(".bc"):
            os.symlink(source, target)
    return os.path.join(home, os.path.basename(library))


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: small_pocl.py FOLDER")
    folder = os.path.abspath(sys.argv[1])
    library, data = find_pocl()
    shutil.rmtree(folder, ignore_errors=True)
    names = find_names(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    small = copy_pocl(folder, library, data, names)
    vendors = os.path.join(folder, "vendors")
    shutil.copytree("/etc/OpenCL/vendors", vendors)
    for name in os.listdir(vendors):
        path = os.path.join(vendors, name)
        with open(path, encoding="utf-8") as stream:
            is_pocl = "libpocl" in stream.read()
        if is_pocl:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(small + "\n")


main()
