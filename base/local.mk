# SPDX-License-Identifier: BSD-3-Clause
# What everything stands on: texts, numbers, files, child processes, tables of what people type.
noinst_LTLIBRARIES += libcloptbase.la
libcloptbase_la_CPPFLAGS = $(inner_cppflags)
libcloptbase_la_CFLAGS = $(inner_cflags)
libcloptbase_la_LDFLAGS = $(inner_ldflags)
libcloptbase_la_SOURCES =

include base/text/local.mk
include base/number/local.mk
include base/file/local.mk
include base/process/local.mk
include base/schema/local.mk

# Objects know of the flags in core/local.mk.
$(libcloptbase_la_OBJECTS): core/local.mk
