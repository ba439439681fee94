#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes a copy of PoCL 3.1 that starts to compile sooner, for tests.

For each program PoCL has clang read a header that declares some 14,000 built-in functions, and each process reads 10 MB
of bitcode with their bodies before its first program: three quarters of what it takes to build a small kernel. The copy
is the same library with the same compiler and the same bodies. It has clang look functions up in its own tables instead,
for which POCL_EXTRA_BUILD_FLAGS must be the line that is printed; left out are the built-in functions that are
called nowhere in the kernels and tests, or in what clopt writes. A kernel that called one would not build.
"""
import ctypes
import os
import re
import shutil
import sys

SOURCES = "core", "engine", "plugins", "kernels", "conf", "tests"
# Links what PoCL compiles without a look at libraries, which takes most of the time: what a kernel calls, the process
# that loads it has. For others it is the system's linker.
LINKER = """#!/bin/sh
case " $*" in *" -shared -o "*/tempfile_*.so.o" "*)
    for argument; do
        shift
        case $argument in -l* | -L* | --*as-needed) ;; *) set -- "$@" "$argument" ;; esac
    done ;;
esac
exec {linker} "$@"
"""
LIBRARIES = "avx512", "avx2"  # those of today's processors
# The function for which clang's tables want another address space than PoCL has.
HEADER = """#define _OPENCL_H_
void __attribute__((overloadable)) wait_group_events(int, event_t *);
"""
# PoCL knows options by how they begin, and takes words apart at blanks alone; clang does at tabs, too.
FLAGS = "-D__small_pocl\t-fdeclare-opencl-builtins"
INTERNAL = 8  # LLVMInternalLinkage


def find_names_in(text, suffix):
    """What may be called: of OpenCL C all words, since macros may stand for names, of which other files may have values;
    of C what its strings call."""
    if suffix == ".cl":
        return re.findall(r"[A-Za-z]\w*", re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL))
    called = r"[A-Za-z]\w*(?= *\(|%[a-z]+\()"
    if suffix in (".c", ".h"):
        return re.findall(called, " ".join(re.findall(r'"(?:[^"\\\n]|\\.)*"', text)))
    return re.findall(rf"{called}|[A-Za-z]+_\w+", text)


def find_names(root):
    """What may be called somewhere in the sources, without numbers."""
    names = set()
    for top in SOURCES:
        for folder, _, files in os.walk(os.path.join(root, top)):
            for file in files:
                with open(os.path.join(folder, file), encoding="utf-8", errors="replace") as stream:
                    names.update(find_names_in(stream.read(), os.path.splitext(file)[1]))
    return {re.sub(r"\d+", "", name) for name in names}


def is_named(name, names):
    """Whether a built-in function may be called: variants change the widths of vectors, and convert what they have."""
    return re.sub(r"\d+", "", name) in names or re.fullmatch(r"convert_[a-gi-z][a-z]+\d*", name)


def is_left_out(name, half, vector):
    """Nobody computes with numbers of 16 bits, or copies vectors at once."""
    return half or (vector and name.startswith("async"))


def is_wanted(symbol, names, renamed):
    """The same of the bitcode, where they have mangled names: of those without one, PoCL calls what is not Sleef's. What
    has another name in kernels is called by that one."""
    mangled = re.match(r"_Z(\d+)", symbol)
    if not mangled:
        return not symbol.startswith("Sleef_")
    end = mangled.end() + int(mangled[1])
    name = symbol[mangled.end() : end]
    if name in renamed:
        return False
    name = name.removeprefix("_cl_")
    half = "Dh" in re.sub(r"P(U\d+CL[a-z]+)?K?Dh", "", symbol[end:])  # not behind a pointer
    return is_named(name, names) and not is_left_out(name, half, "Dv" in symbol[end:])


def find_renamed(header):
    """The built-in functions for which PoCL's headers put others."""
    with open(header, encoding="utf-8") as stream:
        return set(re.findall(r"^#define +(\w+) +_cl_\1$", stream.read(), flags=re.MULTILINE))


def load_llvm(library):
    """The LLVM that PoCL itself is linked with."""
    with open(library, "rb") as stream:
        name = re.search(rb"libLLVM-[\d.]+\.so[.\d]*", stream.read())
    llvm = ctypes.CDLL(name[0].decode())
    for function in llvm.LLVMGetFirstFunction, llvm.LLVMGetNextFunction, llvm.LLVMCreatePassBuilderOptions:
        function.restype = ctypes.c_void_p
    llvm.LLVMGetNextFunction.argtypes = [ctypes.c_void_p]
    llvm.LLVMGetValueName2.restype = ctypes.c_char_p
    llvm.LLVMGetValueName2.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_size_t)]
    llvm.LLVMIsDeclaration.argtypes = llvm.LLVMGetLinkage.argtypes = [ctypes.c_void_p]
    llvm.LLVMSetLinkage.argtypes = [ctypes.c_void_p, ctypes.c_int]
    llvm.LLVMSetValueName2.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    llvm.LLVMRunPasses.restype = ctypes.c_void_p
    llvm.LLVMRunPasses.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p]
    return llvm


def list_functions(llvm, module):
    function = llvm.LLVMGetFirstFunction(module)
    while function:
        size = ctypes.c_size_t()
        yield function, llvm.LLVMGetValueName2(function, ctypes.byref(size)).decode()
        function = llvm.LLVMGetNextFunction(function)


def rename(llvm, module):
    """Gives functions that PoCL's header of names prefixes the names that kernels and clang's tables call them by."""
    for function, symbol in list(list_functions(llvm, module)):
        prefixed = re.match(r"_Z(\d+)_cl_", symbol)
        if prefixed:
            name = f"_Z{int(prefixed[1]) - len('_cl_')}{symbol[prefixed.end() :]}".encode()
            llvm.LLVMSetValueName2(function, name, len(name))


def cut_bitcode(llvm, source, target, names, renamed):
    """Leaves what a test may want, and what that calls: the rest is for a moment of the file alone, so that LLVM sees
    what nobody can call."""
    buffer, module, message = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_char_p()
    if llvm.LLVMCreateMemoryBufferWithContentsOfFile(source.encode(), ctypes.byref(buffer), ctypes.byref(message)):
        sys.exit(f"small_pocl.py: {message.value.decode()}")
    if llvm.LLVMParseBitcode2(buffer, ctypes.byref(module)):
        sys.exit(f"small_pocl.py: {source}: LLVM cannot read it")
    linkages = {}
    for function, symbol in list_functions(llvm, module):
        if not llvm.LLVMIsDeclaration(function) and not is_wanted(symbol, names, renamed):
            linkages[symbol] = llvm.LLVMGetLinkage(function)
            llvm.LLVMSetLinkage(function, INTERNAL)
    if llvm.LLVMRunPasses(module, b"globaldce", None, llvm.LLVMCreatePassBuilderOptions()):
        sys.exit(f"small_pocl.py: {source}: LLVM cannot remove what is unused")
    for function, symbol in list_functions(llvm, module):
        if symbol in linkages:
            llvm.LLVMSetLinkage(function, linkages[symbol])
    rename(llvm, module)
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


def is_todays_processor():
    with open("/proc/cpuinfo", encoding="utf-8") as stream:
        return re.search(r"^flags\b.* avx2\b", stream.read(), flags=re.MULTILINE)


def copy_pocl(folder, library, data, names):
    """PoCL finds its data, and its devices, by where its library is."""
    home = os.path.join(folder, "lib", "x86_64-linux-gnu")
    os.makedirs(home)
    shutil.copy(library, home)
    shutil.copytree(os.path.join(os.path.dirname(library), "pocl"), os.path.join(home, "pocl"))
    share = os.path.join(folder, "share", "pocl")
    os.makedirs(share)
    shutil.copytree(os.path.join(data, "include"), os.path.join(share, "include"))
    renamed = find_renamed(os.path.join(data, "include", "_builtin_renames.h"))
    for name, text in ("opencl-c.h", HEADER), ("_builtin_renames.h", ""):
        with open(os.path.join(share, "include", name), "w", encoding="utf-8") as stream:
            stream.write(text)
    llvm = load_llvm(library)
    for name in os.listdir(data):
        if name.endswith(tuple(f"-{processor}.bc" for processor in LIBRARIES)):
            cut_bitcode(llvm, os.path.join(data, name), os.path.join(share, name), names, renamed)
    return os.path.join(home, os.path.basename(library))


def write_linker(folder):
    linker, path = shutil.which("ld"), os.path.join(folder, "ld")
    if linker:
        os.makedirs(folder)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(LINKER.replace("{linker}", linker))
        os.chmod(path, 0o755)


def main():
    if len(sys.argv) != 2:
        sys.exit("Usage: small_pocl.py FOLDER")
    if not is_todays_processor():
        sys.exit("small_pocl.py: the processor has no AVX2")
    folder = os.path.abspath(sys.argv[1])
    library, data = find_pocl()
    shutil.rmtree(folder, ignore_errors=True)
    names = find_names(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    small = copy_pocl(folder, library, data, names)
    write_linker(os.path.join(folder, "bin"))
    vendors = os.path.join(folder, "vendors")
    shutil.copytree("/etc/OpenCL/vendors", vendors)
    for name in os.listdir(vendors):
        path = os.path.join(vendors, name)
        with open(path, encoding="utf-8") as stream:
            is_pocl = "libpocl" in stream.read()
        if is_pocl:
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(small + "\n")
    print(FLAGS)


main()
