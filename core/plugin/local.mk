# SPDX-License-Identifier: BSD-3-Clause
# core/plugin
libcloptcore_la_SOURCES +=
