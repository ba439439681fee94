# SPDX-License-Identifier: BSD-3-Clause
"""Runs clopt from Python: searches, studies, reports, and the winners to launch with pyopencl.

    result = clopt.tune("kernel.cl", time="2min")    # the same as `clopt tune kernel.cl --time=2min`
    winner = clopt.winner(result.folder)             # its source, build options and NDRange

All is done by the program clopt: the one that the environment variable CLOPT names, else the one that came
with this module in a wheel, else that of PATH. Options are those of the program, as `clopt tune --help` lists them.
"""
from __future__ import annotations

import codecs
import fcntl
import hashlib
import html
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

__all__ = ["Error", "Launch", "Page", "Result", "Winner", "export", "open_store", "report", "run", "tune", "winner"]

PathLike = Union[str, "os.PathLike[str]"]
Row = Dict[str, Any]
# Gets each line that clopt says, and whether the next one takes its place, as lines of progress do.
Progress = Callable[[str, bool], None]

_WRONG = 4  # the exit code where results were wrong
_FIRST_GLOBAL = 101  # the number of the argument that stands for the global size in dimension 0
_LINE_END = re.compile(r"\r+\n|\n|\r?\033\[K")
_COUNTED = re.compile(r"\d+(?: of \d+)? trials\b")
_BEST = "the best as files: "


class Error(RuntimeError):
    """A failure, in clopt's words. `code` is clopt's exit code, 0 where clopt was not asked."""

    def __init__(self, message: str, code: int = 0):
        super().__init__(message)
        self.code = code


def _program() -> str:
    named = os.environ.get("CLOPT")
    if named:
        return named
    beside = Path(__file__).resolve().parent / "clopt"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("clopt")
    if not found:
        raise Error("clopt is neither beside the module nor in PATH: install it, or name it by the variable CLOPT")
    return found


def _words(options: Mapping[str, Any]) -> List[str]:
    """Makes words of a command line: print_config=True, set={"size.n": 64}, device=["cpu", "gpu"], D="N=4"."""
    words: List[str] = []
    for name, value in options.items():
        if len(name) == 1 and name not in "DI":
            raise TypeError(f"option {name}: use its long name, which `clopt tune --help` lists beside it")
        option = f"-{name}" if len(name) == 1 else "--" + name.replace("_", "-")
        if isinstance(value, Mapping):
            value = [f"{key}={each}" for key, each in value.items()]
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is True:
                words.append(option)
            elif each is not None and each is not False:
                words += [option, str(each)] if len(name) == 1 else [f"{option}={each}"]
    return words


def _show(line: str, passing: bool) -> None:
    """Shows progress where lines can be replaced, on a terminal or in a notebook, and all else everywhere."""
    if sys.stderr.isatty() or "ipykernel" in sys.modules:
        clear = "\r\033[K" if sys.stderr.isatty() else "\r"
        sys.stderr.write(clear + line + ("" if passing else "\n"))
    elif not passing:
        sys.stderr.write(f"clopt: {line}\n")
    sys.stderr.flush()


class _Listener:
    """Takes what clopt writes to a terminal apart into lines of progress and messages."""

    def __init__(self, progress: Progress):
        self.progress, self.rest, self.messages = progress, "", []  # type: Progress, str, List[str]
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def hear(self, data: bytes) -> None:
        self.rest += self.decode(data)
        while True:
            end = _LINE_END.search(self.rest)
            if not end:
                break
            line, self.rest = self.rest[: end.start()], self.rest[end.end() :]
            if end.group().endswith("\n"):
                self._message(line)
        if _COUNTED.match(self.rest):
            self.progress(self.rest.rstrip("\r"), True)

    def _message(self, line: str) -> None:
        if _COUNTED.match(line) and "clopt: " in line:  # a message behind a line of progress
            line = line[line.index("clopt: ") :]
        if line.startswith("clopt: "):
            line = line[len("clopt: ") :]
        self.messages.append(line)
        self.progress(line, False)


def _call(words: Sequence[str], progress: Optional[Progress], right: Sequence[int] = (0,)) -> Tuple[int, str, List[str]]:
    """Runs clopt and returns its exit code, what it printed, and its messages; a code that is not right is an Error."""
    program = _program()
    listener = _Listener(progress or _show)
    # Progress is for terminals alone, so that clopt gets one.
    near, far = os.openpty()
    with tempfile.TemporaryFile() as printed, os.fdopen(near, "rb", buffering=0) as heard:
        try:
            fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("4H", 50, 200, 0, 0))
            process = subprocess.Popen(
                [program, *words], stdin=subprocess.DEVNULL, stdout=printed, stderr=far, start_new_session=True,
                env={**os.environ, "NO_COLOR": "1"})
        except OSError as error:
            raise Error(f"{program}: cannot be run: {error.strerror}") from error
        finally:
            os.close(far)
        try:
            while True:
                try:
                    data = heard.read(65536)
                except OSError:  # EIO: Linux's word for the end
                    data = b""
                if not data:
                    break
                listener.hear(data)
            code = process.wait()
        except BaseException:  # such as ctrl-C, after which the same call goes on where clopt was stopped
            heard.close()  # nobody listens any more: clopt is not to wait for that
            process.send_signal(signal.SIGINT)
            process.wait()
            raise
        printed.seek(0)
        text = printed.read().decode("utf-8", "replace")
    if code not in right:
        said = [line for line in listener.messages if not line.startswith(("note: ", _BEST))]
        raise Error("\n".join(said) or f"clopt ended with {code}", code)
    return code, text, listener.messages


def _parse(text: str, kind: str, where: PathLike) -> Dict[str, Any]:
    """Returns the JSON of a report or an export, as this module knows it."""
    try:
        parsed = json.loads(text)
    except ValueError as error:
        raise Error(f"{os.fspath(where)}: no JSON of `{kind}`: {error}") from error
    if not isinstance(parsed, dict) or parsed.get("format") != kind or parsed.get("schema") != 1:
        raise Error(f"{os.fspath(where)}: not of format `{kind}`, schema 1, which this module reads")
    return parsed


class Page(str):
    """A page of HTML, which a notebook shows in a frame."""

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self)}" width="100%" height="800" style="border: 0"></iframe>'


@dataclass(frozen=True)
class Result:
    """What a store holds: `rows` has a row for each variant, device, problem and kernel (COLUMNS in clopt-report(1))."""

    store: Path
    run: Dict[str, Any]
    devices: List[Dict[str, Any]]
    rows: List[Row]
    messages: List[str]  # what clopt said
    folder: Optional[Path] = None  # where tune() has written the best variants

    @property
    def best(self) -> List[Row]:
        """The best variant of each kernel, problem and device, which may be the initial code."""
        return [row for row in self.rows if row["best"] and row["kernel"] is not None]

    @property
    def wrong(self) -> List[Row]:
        """The variants that computed a wrong result."""
        return [row for row in self.rows if row["outcome"] == "wrong-result"]

    def page(self) -> Page:
        """Returns the page of `clopt report --html`, with figures and tables."""
        return Page(_call(["report", str(self.store), "--html"], None)[1])

    def _figures(self) -> str:
        """Returns the figures of the page, on the ground that they are drawn for."""
        found = "".join(re.findall("<figure>.*?</figure>", self.page(), re.DOTALL))
        return f'<div style="background: #fff; color: #222">{found}</div>' if found else ""

    def _repr_html_(self) -> str:
        def cells(tag: str, texts: Sequence[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(text)}</{tag}>" for text in texts) + "</tr>"

        head = cells("th", ("Kernel", "Problem", "Device", "Best variant", "Speed-up", "Verdict"))
        lines = [cells("td", (row["kernel"], row["problem"], row["device"], row["variant"], _gain(row),
                              "" if row["speedup"] is None else row["verdict"])) for row in self.best]
        title = html.escape(str(self.run.get("title") or self.store))
        if not lines:
            return f"<p>{title}: no variant has a time to compare</p>"
        return f"<table><caption>{title}</caption><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>{self._figures()}"


def _gain(row: Row) -> str:
    """Says a speed-up, and how sure it is."""
    if row["speedup"] is None:
        return "1"
    if not row["speedup_attained"]:
        return f"{row['speedup']:.3g}, too few processes for an interval of 95%"
    return f"{row['speedup']:.3g} [{row['speedup_low']:.3g}, {row['speedup_high']:.3g}]"


def _result(text: str, store: Path, messages: List[str]) -> Result:
    parsed = _parse(text, "clopt report", store)
    folders = [Path(line[len(_BEST) :]) for line in messages if line.startswith(_BEST)]
    return Result(store, parsed["run"], parsed["devices"], parsed["results"], messages, folders[-1] if folders else None)


def _store_of(source: PathLike, output: Optional[PathLike]) -> Path:
    """Where clopt keeps the outcomes: beside a study, and of a kernel in the working directory."""
    path = Path(output or source)
    if output is not None:
        return path
    return path.with_suffix(".db") if path.suffix == ".ini" else Path(path.name).with_suffix(".db")


def tune(source: PathLike, *, output: Optional[PathLike] = None, progress: Optional[Progress] = None,
         **options: Any) -> Result:
    """Searches for the fastest variant of each kernel of a file, or of a study, as `clopt tune` does.

    `options` are its options, such as time="2min", device="cpu", set={"size.n": 1024}. `progress` gets what clopt
    says meanwhile; without it, standard error does. A wrong result of the initial code is an Error, too.
    """
    store = _store_of(source, output)
    words = ["tune", os.fspath(source), f"--output={store}", "--json", *_words(options)]
    _, text, messages = _call(words, progress)
    return _result(text, store, messages)


def run(study: PathLike, *, output: Optional[PathLike] = None, progress: Optional[Progress] = None,
        **options: Any) -> Result:
    """Runs a study, as `clopt -c` does. Variants that are wrong are no Error, but rows, and in Result.wrong."""
    store = _store_of(study, output)
    words = ["-c", os.fspath(study), f"--output={store}", "--json", *_words(options)]
    code, text, messages = _call(words, progress, (0, _WRONG))
    if not text.strip():
        raise Error("\n".join(messages), code)
    return _result(text, store, messages)


def open_store(store: PathLike) -> Result:
    """Returns what a store holds."""
    _, text, messages = _call(["report", os.fspath(store), "--json"], None)
    return _result(text, Path(store), messages)


def report(store: PathLike) -> List[Row]:
    """Returns the rows of a store; pandas.DataFrame(rows) has the columns that clopt-report(1) describes."""
    return open_store(store).rows


def export(store: PathLike, folder: PathLike, *, progress: Optional[Progress] = None, **options: Any) -> List[Path]:
    """Writes the best variants to a folder, as `clopt export` does, and returns the files."""
    words = ["export", os.fspath(store), f"--output={os.fspath(folder)}", *_words(options)]
    return [Path(line) for line in _call(words, progress)[1].splitlines()]


class Launch(NamedTuple):
    """How a variant is launched: its NDRange, and the values, each a ulong, of arguments behind those of the initial code."""

    global_size: Tuple[int, ...]
    local_size: Tuple[int, ...]
    added: Tuple[int, ...]
    zeroed: Tuple[bool, ...] = ()  # which of them are buffers of so many bytes instead: zeros at first


@dataclass(frozen=True)
class Winner:
    """A variant to build and launch, from what `clopt export` wrote."""

    kernel: str
    name: str  # as in reports
    source: str  # the program
    options: str  # to build it with
    initial_global: Tuple[int, ...]  # the NDRange of the study, before the variant changes it
    initial_local: Tuple[int, ...]
    distinct_buffers: bool  # no buffer may be passed as two arguments
    measured: Optional[Dict[str, Any]]  # time_ns and speedup on this device; None: it was not measured on that
    variant: Dict[str, Any]  # all that JSON of clopt-export(1) describes

    def launch(self, global_size: Optional[Sequence[int]] = None, local_size: Optional[Sequence[int]] = None,
               arguments: Sequence[Any] = ()) -> Launch:
        """Returns the launch in the place of one of the initial code, by default of the study's.

        `arguments`, those of the initial code, are needed where the variant asks something of them. A launch for
        which the variant is not right is an Error.
        """
        sizes = tuple(global_size or self.initial_global)
        locals_ = tuple(local_size or self.initial_local)
        if not len(sizes) == len(locals_) == len(self.initial_global):
            raise Error(f"{self.kernel}: the NDRange has {len(self.initial_global)} dimensions")
        before = [new or local for new, local in zip(self.variant["local_size"], locals_)]
        self._check(sizes, before, arguments)
        groups = [_divide_up(size, local) * times
                  for size, local, times in zip(sizes, before, self.variant["divided_items"])]
        after = tuple(_divide_up(local, merged) for local, merged in zip(before, self.variant["merged_items"]))
        launched = (_divide_up(count, merged) for count, merged in zip(groups, self.variant["merged_groups"]))
        given = [(each, each.get("zeroed", 0)) for each in self.variant["added_arguments"]]
        added = (prod(groups) * zeroed or _divide_up(groups[each["dimension"]], each["merged"]) for each, zeroed in given)
        return Launch(tuple(a * b for a, b in zip(launched, after)), after, tuple(added), tuple(z > 0 for _, z in given))

    def _check(self, sizes: Sequence[int], before: Sequence[int], arguments: Sequence[Any]) -> None:
        """Raises an Error where the variant is not right for a launch."""
        variant = self.variant
        for size, local, multiple, only in zip(sizes, before, variant["local_multiple"], variant["local_only"]):
            if local % multiple or (only and local != multiple):
                raise Error(f"{self.name}: not for local size {local}, but {'' if only else 'multiples of '}{multiple}")
            if variant["whole_groups"] and size % local:
                raise Error(f"{self.name}: the global size {size} has to be a multiple of the local size {local}")
        buffers = [each for each in arguments if hasattr(each, "int_ptr")]
        if self.distinct_buffers and len({each.int_ptr for each in buffers}) < len(buffers):
            raise Error(f"{self.name}: no buffer may be passed as two arguments")
        for needed in variant["argument_multiples"]:
            self._check_argument(needed, sizes, before, arguments)

    def _check_argument(self, needed: Mapping[str, int], sizes: Sequence[int], before: Sequence[int],
                        arguments: Sequence[Any]) -> None:
        number, multiple, covers = needed["argument"], needed["multiple"], needed["covers"]
        if number >= _FIRST_GLOBAL:
            what, value = f"the global size in dimension {number - _FIRST_GLOBAL}", sizes[number - _FIRST_GLOBAL]
        elif number < len(arguments):
            what, value = f"argument {number}", int(arguments[number])
        else:
            raise Error(f"{self.name}: asks something of argument {number}: pass `arguments` to launch()")
        if value % multiple:
            raise Error(f"{self.name}: {what} is {value}, and has to be a multiple of {multiple}")
        if value != (needed.get("equals") or value):
            raise Error(f"{self.name}: {what} is {value}, and has to be {needed['equals']}")
        if covers:
            items = _divide_up(sizes[covers - 1], before[covers - 1]) * before[covers - 1]
            if value < items:
                raise Error(f"{self.name}: {what} is {value}, and has to be at least {items}")


def _divide_up(a: int, b: int) -> int:
    return -(-a // b)


def _manifest(folder: Path, kernel: Optional[str]) -> Dict[str, Any]:
    """Returns the JSON of the one kernel, or the one of this name, in a folder of `clopt export`."""
    found = {}
    for path in sorted(folder.glob("*.json")):
        manifest = _parse(path.read_text(encoding="utf-8"), "clopt export", path)
        if kernel in (None, manifest["kernel"], path.stem):
            found[path.stem] = manifest
    if kernel in found:
        return found[str(kernel)]
    if not found:
        raise Error(f"{folder}: no {'.json' if kernel is None else kernel + '.json'} of `clopt export` is there")
    if len(found) > 1:
        raise Error(f"{folder}: has several kernels: choose one of {', '.join(found)}")
    return next(iter(found.values()))


def winner(folder: PathLike, kernel: Optional[str] = None, device: Any = None) -> Winner:
    """Returns the variant for a device from a folder of export() or tune().

    `device` is one of pyopencl, or the names of platform and device. One that was not measured, and None, get the
    variant for other devices; then Winner.measured is None.
    """
    path = Path(folder)
    manifest = _manifest(path, kernel)
    names = (device.platform.name, device.name) if hasattr(device, "platform") else device
    measured = next((each for each in manifest["devices"] if names and (each["platform"], each["name"]) == tuple(names)), None)
    variant = manifest["variants"][measured["variant"] if measured else manifest["default"]]
    file = path / variant["source"]
    try:
        source = file.read_bytes()
    except OSError as error:
        raise Error(f"{file}: cannot be read: {error.strerror}") from error
    if hashlib.sha256(source).hexdigest() != manifest["files"][variant["source"]]:
        raise Error(f"{file}: was changed since `clopt export` wrote it, and is not what was measured: export it again")
    return Winner(manifest["kernel"], variant["name"], source.decode("utf-8"), variant["options"],
                  tuple(variant["initial_global"]), tuple(variant["initial_local"]), variant["distinct_buffers"],
                  measured, variant)
