# SPDX-License-Identifier: BSD-3-Clause
# core/worker
libcloptcore_la_SOURCES +=
