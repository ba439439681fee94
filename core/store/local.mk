# SPDX-License-Identifier: BSD-3-Clause
# core/store
libcloptcore_la_SOURCES +=
