# SPDX-License-Identifier: BSD-3-Clause
dist_kernel_DATA += kernels/bfs.cl kernels/crc.cl kernels/lud.cl
dist_kernel_DATA += kernels/needle.cl
dist_kernel_DATA += kernels/srad.cl
