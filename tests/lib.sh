# SPDX-License-Identifier: BSD-3-Clause
# What shell tests share: a scratch folder, and expectations that say what they saw instead.
# Sourced by a test that `make check` runs, since that sets CLOPT and CLOPT_*_DIR.
# shellcheck shell=bash
set -euo pipefail

: "${CLOPT:?run this by make check}"
ulimit -c 0 # what crashes is to end at once, and to fill no disk
# link_commands FOLDER: puts there what clopt cannot do without: its commands, what they print with, and the clock.
link_commands()
{
    local plugin
    for plugin in analyses commands counters formats strategies; do
        ln -s "$CLOPT_BUILD_DIR/plugins/.libs/$plugin.so" "$1/"
    done
}

# Where headers are that nobody installs; the folders of the libraries and of plugins.
inner_includes=("-I$CLOPT_SOURCE_DIR"/{.,core/include,engine/include,library/include,base,core,engine,report,plugins} "-I$CLOPT_BUILD_DIR/core")
test=${0##*tests/} # FOLDER/NAME
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail()
{
    printf '%s: %s\n' "$test" "$*" >&2
    exit 1
}

skip()
{
    printf '%s: skipped: %s\n' "$test" "$*" >&2
    exit 77
}

# Several may read a store at a time, and the last of those that end locks it for a moment.
if command -v sqlite3 >/dev/null; then
    sqlite3()
    {
        command sqlite3 -cmd '.timeout 20000' "$@"
    }
fi

case $test in
device/* | layer/*) [ -z "${CLOPT_NO_DEVICE_TESTS:-}" ] || skip "CLOPT_NO_DEVICE_TESTS is set" ;;
package/*) ;;
*) [ -z "${CLOPT_NO_CLI_TESTS:-}" ] || skip "CLOPT_NO_CLI_TESTS is set" ;;
esac
case $test in
commands/completion | package/configure | package/libclang | package/scripts | package/unbuilt | cli/loader)
    [ -z "${CLOPT_NO_SCRIPT_TESTS:-}" ] || skip "CLOPT_NO_SCRIPT_TESTS is set: what it tests is that of the build tree"
    ;;
esac

# Each process that opens OpenCL loads all platforms that it sees: where scripts/check has Intel's runtime, these tests
# are those of it, too, and the others have PoCL alone, or begin with it.
all_vendors=${OCL_ICD_VENDORS:-}
case $test in
device/bfs | device/branches | device/builds | device/check | device/coarsening | device/composition | device/counters) ;;
device/crc | device/dialect | device/generic | device/half | device/sub_groups | device/kernel | device/kernels | device/layouts | device/list | device/loops | device/lud) ;;
device/meg | device/memory | device/narrow | device/needle | device/privatise | device/programs | device/results | device/srad) ;;
*) [ -z "${CLOPT_POCL_VENDORS:-}" ] || export OCL_ICD_VENDORS=$CLOPT_POCL_VENDORS ;;
esac

# PoCL compiles in less than half the time without its optimizations, which say nothing of clopt. Others ask how fast a
# kernel is, how a compiler ends, or compute much.
case $test in
commands/serve | device/advise | device/apply | device/branches | device/cheats | device/composition | device/contents | device/crc | device/dialect | device/division | device/export | device/generic | \
    device/init | device/judge | device/kernel | device/kernel_files | device/kernels | layer/applications | layer/programs | device/layouts | \
    device/loops | device/meg | device/members | device/memory | device/narrow | device/privatise | device/programs | device/proposals | device/python | device/references | device/reproduce | \
    device/results | device/resume | device/rival | device/rivals | device/rows | device/scans | device/shards | device/shared | device/specialise | device/study | device/tune | \
    device/vector | device/verify | device/worker_kill)
    [ -n "${CLOPT_LONG_TESTS:-}" ] || export POCL_EXTRA_BUILD_FLAGS="-cl-opt-disable${POCL_EXTRA_BUILD_FLAGS:+ $POCL_EXTRA_BUILD_FLAGS}"
    ;;
esac

# run COMMAND...: runs it with its output in the scratch folder; LeakSanitizer may die over threads
# that PoCL leaves behind, which says nothing of leaks: then there is another run without it.
run()
{
    local code=0
    "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || code=$?
    if [ "$code" -ne 0 ] && grep -q 'LeakSanitizer has encountered a fatal error' "$scratch/stderr"; then
        code=0
        ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 \
            "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || code=$?
    fi
    return "$code"
}

# some: passes on the lines that it reads; with sanitizers every fifth one, where all go the same ways through clopt.
some()
{
    awk -v each="${CLOPT_SANITIZERS:+5}" 'each == "" || NR % each == 1'
}

# expect CODE COMMAND...: runs the command, leaves what it printed in $scratch/stdout and
# $scratch/stderr, and fails unless it ends with exit code CODE.
expect()
{
    local wanted=$1 code=0
    shift
    run "$@" || code=$?
    [ "$code" -eq "$wanted" ] || fail "$*: exit code $code, not $wanted$(
        printf '\n--- stdout\n'
        cat "$scratch/stdout"
        printf -- '--- stderr\n'
        cat "$scratch/stderr"
    )"
    check_sentences "$@"
}

# check_sentences COMMAND...: where it printed a report for people, or in CSV, none of its sentences is stronger than
# its interval.
check_sentences()
{
    case " $* " in
    *" $CLOPT "*" report "* | *" $CLOPT "*" compare "* | *" $CLOPT "*" -c "* | *" $CLOPT "*" tune "*) ;;
    *) return 0 ;;
    esac
    if grep -qE '[0-9] times as |of the best with|^app,problem,kernel,variant,' "$scratch/stdout" && ! grep -qm1 '^[<{%\]' "$scratch/stdout" &&
        command -v python3 >/dev/null; then
        python3 "$CLOPT_SOURCE_DIR/tests/helpers/sentences.py" "$scratch/stdout" >&2 || fail "$*: says more than is known (see above)"
    fi
}

# expect_text FILE TEXT: the stream (stdout or stderr) of the last command is exactly TEXT.
expect_text()
{
    printf '%s' "${2:+$2$'\n'}" >"$scratch/expected"
    diff -u "$scratch/expected" "$scratch/$1" >&2 || fail "unexpected $1 (see above)"
}

# expect_line FILE TEXT: some line of the last command's stream contains TEXT.
expect_line()
{
    grep -qF -- "$2" "$scratch/$1" || fail "$1 does not contain: $2$(
        printf '\n--- %s\n' "$1"
        cat "$scratch/$1"
    )"
}

# list_platforms FILE: those in what `clopt devices --json` printed, PoCL before Intel's runtime.
list_platforms()
{
    sed -n 's/^    "platform": "\(.*\)",$/\1/p' "$1" | sort -ru
}

# is_pocl_3: whether PoCL is the one of Debian 12, which the tests know best.
is_pocl_3()
{
    grep -q '"platform_version": "OpenCL [0-9.]* PoCL 3\.' <<<"$("$CLOPT" devices --json 2>/dev/null)"
}

# wait_for WHAT COMMAND...: waits until the command succeeds, however busy the machine is; fails where that
# takes five minutes.
wait_for()
{
    local what=$1 end=$((SECONDS + 300))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || fail "five minutes were too short for: $what"
        sleep 0.1
    done
}

# no_process PATTERN: none has such a command line. Those that are killed need a moment.
no_process()
{
    ! pgrep -f -- "$1" >/dev/null
}

# write_bombs: writes terms.cl, whose expression is too long for a parser's recursion, and bomb.cl,
# whose macros would become 2^30 terms; $crash is how the first one ends a process.
write_bombs()
{
    {
        printf 'kernel void k(global int *a)\n{\n    a[0] = 1'
        printf '+a[1]%.0s' {1..200000}
        printf ';\n}\n'
    } >terms.cl
    {
        printf '#define A0 a[1]\n'
        for i in {1..30}; do printf '#define A%d A%d + A%d\n' "$i" $((i - 1)) $((i - 1)); done
        printf 'kernel void k(global int *a)\n{\n    a[0] = A30;\n}\n'
    } >bomb.cl
    [ -z "${CLOPT_SANITIZERS:-}" ] || # whose handler would print a report and exit
        export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0
    crash="killed by signal 11 (Segmentation fault)"
    advice="look for very long or deeply nested expressions, and for macros that multiply each other"
}

# use_odd_loader WHAT: from now on OpenCL does what tests/helpers/odd_loader.c says of WHAT.
use_odd_loader()
{
    [ -z "${CLOPT_SANITIZERS:-}" ] || skip "what is loaded before OpenCL is loaded before the sanitizers, too"
    export LD_PRELOAD=$CLOPT_BUILD_DIR/tests/helpers/.libs/odd_loader.so CLOPT_ODD_LOADER=gpu
    if ! "$CLOPT" devices 2>/dev/null | grep -q '^  type           gpu$'; then
        unset LD_PRELOAD
        skip "the OpenCL loader's calls cannot be caught here"
    fi
    CLOPT_ODD_LOADER=$1
}
