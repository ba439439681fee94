# SPDX-License-Identifier: BSD-3-Clause
# core/opencl
libcloptcore_la_SOURCES +=
