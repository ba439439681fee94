# SPDX-License-Identifier: BSD-3-Clause
# Recorded spaces, which `clopt advise` learns from and `clopt simulate` knows by name, and compositions
# that a search tries first; what `clopt report --guidelines` found of the stores that ship.
dist_space_DATA = \
	data/spaces/compositions.json \
	data/spaces/convolution-h200.space.json \
	data/spaces/filter-h200.space.json \
	data/spaces/filter-xeon16.space.json \
	data/spaces/guidelines.json \
	data/spaces/histogram-h100.space.json \
	data/spaces/histogram-skylake2.space.json \
	data/spaces/histogram-xeon16.space.json \
	data/spaces/lud-h100.space.json \
	data/spaces/lud-skylake2.space.json \
	data/spaces/lud-xeon16.space.json \
	data/spaces/mandelbrot-h200.space.json \
	data/spaces/matmul-h100.space.json \
	data/spaces/matmul-skylake2.space.json \
	data/spaces/nbody-h100.space.json \
	data/spaces/nbody-xeon16.space.json \
	data/spaces/product-h100.space.json \
	data/spaces/product-skylake2.space.json \
	data/spaces/product-xeon16.space.json \
	data/spaces/reduction-h100.space.json \
	data/spaces/reduction-skylake2.space.json \
	data/spaces/spmv-h200.space.json \
	data/spaces/spmv-skylake2.space.json \
	data/spaces/spmv-xeon16.space.json \
	data/spaces/transpose-h200.space.json
