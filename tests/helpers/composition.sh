# SPDX-License-Identifier: BSD-3-Clause
# What tests of tests/helpers/composition share: each process opens OpenCL, and loads a compiler, so one tries all variants of
# a platform. Sourced instead of tests/lib.sh.
# shellcheck shell=bash disable=SC2034
. "$CLOPT_SOURCE_DIR/tests/lib.sh"
parts=() # words of the command, of which "--" begins each part
wanted=() # for each part what its last line matches

# ask COUNTS ARGUMENT...: has the next process try one part more, which ends with COUNTS and no failures.
ask()
{
    wanted+=("^$1, 0 failures\$")
    shift
    parts+=(-- "$@")
}
some_equal='[1-9][0-9]* variants equal, [0-9]* infeasible or unchanged'
all_equal='[1-9][0-9]* variants equal, 0 infeasible or unchanged'

# answer PLATFORM WRAPPER...: tries all that was asked since the last time; 1 if there is no such platform.
answer()
{
    local platform=$1 code=0 i lines
    local command=("${@:2}" "$CLOPT_BUILD_DIR/tests/helpers/composition" -p "$platform" "${parts[@]:1}")
    "${command[@]}" >"$scratch/log" 2>&1 || code=$?
    if [ "$code" -ne 77 ]; then
        mapfile -t lines < <(grep ' variants equal, ' "$scratch/log")
        for i in "${!wanted[@]}"; do
            grep -q "${wanted[i]}" <<<"${lines[i]:-nothing}" || fail "${command[*]}: part $((i + 1)) is to say ${wanted[i]}: $(cat "$scratch/log")"
        done
        [ "$code" -eq 0 ] || fail "${command[*]}: exit code $code: $(cat "$scratch/log")"
        ! grep -qiE 'race|invalid|error' "$scratch/log" || fail "${command[*]}: $(cat "$scratch/log")"
    fi
    parts=() wanted=()
    [ "$code" -ne 77 ]
}
