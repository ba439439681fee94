# SPDX-License-Identifier: BSD-3-Clause
# core/report
libcloptcore_la_SOURCES +=
