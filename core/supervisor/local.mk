# SPDX-License-Identifier: BSD-3-Clause
# core/supervisor
libcloptcore_la_SOURCES +=
