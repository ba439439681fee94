# SPDX-License-Identifier: BSD-3-Clause
dist_conf_DATA += conf/bfs.ini conf/crc.ini conf/lud.ini conf/quick.ini
dist_conf_DATA += conf/gemm.ini conf/layouts.ini conf/matmul.ini conf/needle.ini
dist_conf_DATA += conf/srad.ini conf/thesis.ini conf/thesis-small.ini

# Kernels that are described by their studies.
kernelconfdir = $(confdir)/kernel
dist_kernelconf_DATA = conf/kernel/common.inc conf/kernel/lud.ini \
	conf/kernel/automaton.ini \
	conf/kernel/blackscholes.ini \
	conf/kernel/convolution.ini \
	conf/kernel/fft.ini \
	conf/kernel/histogram.ini \
	conf/kernel/mandelbrot.ini \
	conf/kernel/markov.ini \
	conf/kernel/mesh.ini \
	conf/kernel/nbody.ini \
	conf/kernel/prefixsum.ini \
	conf/kernel/queens.ini \
	conf/kernel/reduction.ini \
	conf/kernel/saxpy.ini \
	conf/kernel/spmv.ini \
	conf/kernel/transpose.ini

# What rewriting alone makes of plain kernels on a GPU.
gpuconfdir = $(confdir)/gpu
dist_gpuconf_DATA = conf/gpu/common.inc conf/gpu/bodies.ini conf/gpu/filter.ini \
	conf/gpu/product.ini conf/gpu/tiled.ini

# Spaces that are recorded as a whole, for searches and advice to learn from.
spacesconfdir = $(confdir)/spaces
dist_spacesconf_DATA = conf/spaces/common.inc \
	conf/spaces/blackscholes.ini \
	conf/spaces/convolution.ini \
	conf/spaces/filter.ini \
	conf/spaces/histogram.ini \
	conf/spaces/lud.ini \
	conf/spaces/mandelbrot.ini \
	conf/spaces/matmul.ini \
	conf/spaces/nbody.ini \
	conf/spaces/product.ini \
	conf/spaces/reduction.ini \
	conf/spaces/spmv.ini \
	conf/spaces/transpose.ini

# Merged work-items on the seventeen programs of a published experiment.
coarseningconfdir = $(confdir)/coarsening
dist_coarseningconf_DATA = conf/coarsening/README.md conf/coarsening/expected.py \
	conf/coarsening/binarySearch.ini \
	conf/coarsening/blackscholes.ini \
	conf/coarsening/common.inc \
	conf/coarsening/convolution.ini \
	conf/coarsening/dwtHaar1D.ini \
	conf/coarsening/fastWalsh.ini \
	conf/coarsening/floydWarshall.ini \
	conf/coarsening/line.inc \
	conf/coarsening/mriQ.ini \
	conf/coarsening/mt.ini \
	conf/coarsening/mtLocal.ini \
	conf/coarsening/mvCoal.ini \
	conf/coarsening/mvUncoal.ini \
	conf/coarsening/nbody.ini \
	conf/coarsening/plane.inc \
	conf/coarsening/reduce.ini \
	conf/coarsening/sgemm.ini \
	conf/coarsening/sobel.ini \
	conf/coarsening/spmv.ini \
	conf/coarsening/stencil.ini

# A course, step by step: doc/course.md.
courseconfdir = $(confdir)/course
dist_courseconf_DATA = conf/course/common.inc \
	conf/course/himeno.ini \
	conf/course/matmul.ini \
	conf/course/prefetch.ini \
	conf/course/tune.ini \
	conf/course/vadd.ini

# What students fill in; kernels/course/solutions has what it becomes.
exerciseconfdir = $(courseconfdir)/exercises
dist_exerciseconf_DATA = conf/course/exercises/product.inc \
	conf/course/exercises/1.cl conf/course/exercises/1.ini \
	conf/course/exercises/2.cl conf/course/exercises/2.ini \
	conf/course/exercises/3.cl conf/course/exercises/3.ini \
	conf/course/exercises/4.cl conf/course/exercises/4.ini \
	conf/course/exercises/5.cl conf/course/exercises/5.ini \
	conf/course/exercises/6.cl conf/course/exercises/6.ini \
	conf/course/exercises/7.cl conf/course/exercises/7.ini

# The routines of a published application, by hand and by rewriting.
megconfdir = $(confdir)/meg
dist_megconf_DATA = conf/meg/README.md conf/meg/common.inc \
	conf/meg/eval-double.ini \
	conf/meg/eval.ini \
	conf/meg/forms.ini \
	conf/meg/gpu.ini \
	conf/meg/grad-double.ini \
	conf/meg/grad.ini \
	conf/meg/hesse-double.ini \
	conf/meg/hesse.ini \
	conf/meg/threads.ini

# Vectors of every width on the four applications of a published experiment.
vectorizationconfdir = $(confdir)/vectorization
dist_vectorizationconf_DATA = conf/vectorization/README.md conf/vectorization/common.inc \
	conf/vectorization/bs.ini \
	conf/vectorization/ic.ini \
	conf/vectorization/mm.ini \
	conf/vectorization/sor.ini

# One study a figure of the thesis, at its sizes, one an app, and what the thesis measured.
thesisdir = $(confdir)/thesis
dist_thesis_DATA = \
	conf/thesis/bfs.ini \
	conf/thesis/crc.ini \
	conf/thesis/figure-6.12.ini \
	conf/thesis/figure-6.15.ini \
	conf/thesis/figure-6.17.ini \
	conf/thesis/figure-6.2.ini \
	conf/thesis/figure-6.20.ini \
	conf/thesis/figure-6.22.ini \
	conf/thesis/figure-6.26.ini \
	conf/thesis/figure-6.29.ini \
	conf/thesis/figure-6.31.ini \
	conf/thesis/figure-6.33.ini \
	conf/thesis/figure-6.37.ini \
	conf/thesis/figure-6.4.ini \
	conf/thesis/figure-6.41.ini \
	conf/thesis/figure-6.43.ini \
	conf/thesis/figure-6.46.ini \
	conf/thesis/figure-6.48.ini \
	conf/thesis/figure-6.50.ini \
	conf/thesis/figure-6.52.ini \
	conf/thesis/figure-6.6.ini \
	conf/thesis/figure-6.8.ini \
	conf/thesis/lud.ini \
	conf/thesis/results.csv \
	conf/thesis/srad.ini \
	conf/thesis/unfeasible.ini

# One study an app that looks for its best variants.
bestdir = $(confdir)/best
dist_best_DATA = \
	conf/best/bfs.ini \
	conf/best/common.inc \
	conf/best/crc.ini \
	conf/best/lud.ini \
	conf/best/needle.ini \
	conf/best/srad.ini

# Variants that were the best of an app on processors, beside native programs.
rivalsconfdir = $(confdir)/rivals
dist_rivalsconf_DATA = \
	conf/rivals/bfs.ini \
	conf/rivals/common.inc \
	conf/rivals/crc.ini \
	conf/rivals/lud.ini \
	conf/rivals/needle.ini \
	conf/rivals/sgemm.ini \
	conf/rivals/sgemv.ini \
	conf/rivals/srad.ini \
	conf/rivals/stencil.ini

# What was measured with them, for who wants to compare.
EXTRA_DIST += conf/coarsening/stores/h200.tar.xz conf/guidelines/h200.db.xz conf/guidelines/xeon-pocl5.db.xz
EXTRA_DIST += conf/thesis/README.md conf/thesis/stores/h200-nvidia.db.xz conf/thesis/stores/xeon-intel.db.xz \
	conf/thesis/stores/xeon-pocl.db.xz conf/thesis/stores/xeon-pocl-lud.db.xz
