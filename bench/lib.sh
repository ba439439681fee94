# SPDX-License-Identifier: BSD-3-Clause
# What the benchmarks share: the program to measure, and a scratch folder. To be sourced.
# shellcheck shell=bash disable=SC2034
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
name=${0##*/}

fail()
{
    printf '%s: %s\n' "$name" "$*" >&2
    exit 1
}

# The program under test: $CLOPT, or the one on the path, or that of the build tree.
clopt=${CLOPT:-$(command -v clopt || echo "$root/scripts/clopt")}
command -v sqlite3 >/dev/null || command -v python3 >/dev/null || fail "needs sqlite3 or python3"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# query STORE SQL: the rows, with | between columns.
query()
{
    if command -v sqlite3 >/dev/null; then
        sqlite3 "$1" "$2"
    else
        python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]):
    print(*("" if cell is None else cell for cell in row), sep="|")' "$1" "$2"
    fi
}

# fresh_caches FOLDER: neither drivers nor clopt find anything that was compiled before.
fresh_caches()
{
    mkdir -p "$1/pocl" "$1/cuda"
    export POCL_CACHE_DIR=$1/pocl CUDA_CACHE_PATH=$1/cuda CLOPT_CACHE_DIR=$1/clopt
}
