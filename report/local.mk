# SPDX-License-Identifier: BSD-3-Clause
# Reports: results of a store, documents, charts, models.
noinst_LTLIBRARIES += libcloptreport.la
libcloptreport_la_CPPFLAGS = $(inner_cppflags)
libcloptreport_la_CFLAGS = $(inner_cflags)
libcloptreport_la_LDFLAGS = $(inner_ldflags)
libcloptreport_la_SOURCES =

include report/results/local.mk
include report/watch/local.mk
include report/view/local.mk
include report/exchange/local.mk
include report/document/local.mk
include report/chart/local.mk
include report/model/local.mk

# Objects know of the flags in core/local.mk.
$(libcloptreport_la_OBJECTS): core/local.mk
