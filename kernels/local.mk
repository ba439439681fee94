# SPDX-License-Identifier: BSD-3-Clause
dist_kernel_DATA += kernels/lud.cl
