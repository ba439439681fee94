# SPDX-License-Identifier: BSD-3-Clause
dist_kernel_DATA += kernels/bfs.cl kernels/crc.cl kernels/lud.cl
dist_kernel_DATA += kernels/needle.cl
dist_kernel_DATA += kernels/srad.cl

# Kernels that studies in conf and conf/kernel describe.
exampleskerneldir = $(kerneldir)/examples
dist_exampleskernel_DATA = \
	kernels/examples/automaton.cl \
	kernels/examples/blackscholes.cl \
	kernels/examples/convolution.cl \
	kernels/examples/fft.cl \
	kernels/examples/filter.cl \
	kernels/examples/gemm.cl \
	kernels/examples/gemv.cl \
	kernels/examples/histogram.cl \
	kernels/examples/mandelbrot.cl \
	kernels/examples/markov.cl \
	kernels/examples/matmul.cl \
	kernels/examples/mesh.cl \
	kernels/examples/nbody.cl \
	kernels/examples/prefixsum.cl \
	kernels/examples/product.cl \
	kernels/examples/queens.cl \
	kernels/examples/reduction.cl \
	kernels/examples/saxpy.cl \
	kernels/examples/spmv.cl \
	kernels/examples/transpose.cl

# The programs of a study of coarsening that are not among the examples.
coarseningkerneldir = $(kerneldir)/coarsening
dist_coarseningkernel_DATA = \
	kernels/coarsening/binarySearch.cl \
	kernels/coarsening/dwtHaar1D.cl \
	kernels/coarsening/fastWalsh.cl \
	kernels/coarsening/floydWarshall.cl \
	kernels/coarsening/mriQ.cl \
	kernels/coarsening/mt.cl \
	kernels/coarsening/mvCoal.cl \
	kernels/coarsening/mvUncoal.cl \
	kernels/coarsening/sgemm.cl \
	kernels/coarsening/sobel.cl \
	kernels/coarsening/stencil.cl

coursekerneldir = $(kerneldir)/course
dist_coursekernel_DATA = \
	kernels/course/himeno.cl \
	kernels/course/matmul.cl \
	kernels/course/reference.cl \
	kernels/course/serial.cl \
	kernels/course/vadd.cl
solutionkerneldir = $(coursekerneldir)/solutions
dist_solutionkernel_DATA = \
	kernels/course/solutions/1.cl \
	kernels/course/solutions/2.cl \
	kernels/course/solutions/3.cl \
	kernels/course/solutions/4.cl \
	kernels/course/solutions/5.cl \
	kernels/course/solutions/6.cl \
	kernels/course/solutions/7.cl

megkerneldir = $(kerneldir)/meg
dist_megkernel_DATA = \
	kernels/meg/eval.cl \
	kernels/meg/grad.cl \
	kernels/meg/group.cl \
	kernels/meg/hesse.cl \
	kernels/meg/reference.cl

vectorizationkerneldir = $(kerneldir)/vectorization
dist_vectorizationkernel_DATA = kernels/vectorization/sor.cl

# Native programs that solve what apps do, [rival LABEL]; rival.h is what each of them needs.
rivalsdir = $(kerneldir)/rivals
dist_rivals_DATA = kernels/rivals/rival.h \
	kernels/rivals/bfs.c \
	kernels/rivals/crc.c \
	kernels/rivals/crc_zlib.c \
	kernels/rivals/lud.c \
	kernels/rivals/lud_blas.c \
	kernels/rivals/meg.c \
	kernels/rivals/needle.c \
	kernels/rivals/saxpy.c \
	kernels/rivals/sgemm.c \
	kernels/rivals/sgemv.c \
	kernels/rivals/srad.c \
	kernels/rivals/stencil.c
