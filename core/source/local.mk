# SPDX-License-Identifier: BSD-3-Clause
# core/source
libcloptcore_la_SOURCES +=
