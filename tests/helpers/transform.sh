# SPDX-License-Identifier: BSD-3-Clause
# What tests of `clopt transform` share. Sourced instead of tests/lib.sh.
# shellcheck shell=bash
. "$CLOPT_SOURCE_DIR/tests/lib.sh"
cd "$scratch"

cat >scale.cl <<'C'
/* Scales a matrix of WIDTH columns. */
kernel void scale(global float *a, float factor)
{
    int column = get_global_id(0); // neighbours
    int row = get_global_id(1);
    for (int i = 0; i < TURNS; i++)
        a[row * WIDTH + column] *= factor;
}
C

# refusal CODE MESSAGE ARGUMENT...
refusal()
{
    local code=$1 message=$2
    shift 2
    expect "$code" "$CLOPT" transform "$@"
    expect_text stdout ""
    expect_line stderr "$message"
}
