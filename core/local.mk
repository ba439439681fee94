# SPDX-License-Identifier: BSD-3-Clause
# libclopt, its installed headers, and the program.
pkginclude_HEADERS += \
	core/include/clopt/app.h \
	core/include/clopt/clopt.h \
	core/include/clopt/coarsen.h \
	core/include/clopt/device.h \
	core/include/clopt/divergence.h \
	core/include/clopt/error.h \
	core/include/clopt/expression.h \
	core/include/clopt/file.h \
	core/include/clopt/footprint.h \
	core/include/clopt/layout.h \
	core/include/clopt/loop.h \
	core/include/clopt/ndrange.h \
	core/include/clopt/optimization.h \
	core/include/clopt/plugin.h \
	core/include/clopt/random.h \
	core/include/clopt/rewrite.h \
	core/include/clopt/source.h \
	core/include/clopt/tree.h \
	core/include/clopt/value.h

# All of core, with its inner functions visible: what libclopt is made of, and what unit tests link.
noinst_LTLIBRARIES += libcloptcore.la
libcloptcore_la_CPPFLAGS = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) $(INIH_CFLAGS) $(SQLITE_CFLAGS) \
	$(JANSSON_CFLAGS) $(LIBCLANG_CFLAGS) \
	-DCLOPT_PLUGINDIR='"$(plugindir)"' -DCLOPT_KERNELDIR='"$(kerneldir)"' \
	-DCLOPT_SPACEDIR='"$(spacedir)"' -DCLOPT_CONFDIR='"$(confdir)"'
libcloptcore_la_CFLAGS = $(parallel_cflags)
libcloptcore_la_LDFLAGS = $(OPENMP_CFLAGS)
libcloptcore_la_LIBADD = $(OPENCL_LIBS) $(INIH_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	$(LTDL_LIBS) -lm
libcloptcore_la_SOURCES =

include core/base/local.mk
include core/model/local.mk
include core/opencl/local.mk
include core/plugin/local.mk
include core/frontend/local.mk
include core/kernel/local.mk
include core/analysis/local.mk
include core/rewrite/local.mk
include core/trial/local.mk
include core/space/local.mk
include core/study/local.mk
include core/search/local.mk
include core/protocol/local.mk
include core/pool/local.mk
include core/peak/local.mk
include core/worker/local.mk
include core/contest/local.mk
include core/supervisor/local.mk
include core/store/local.mk
include core/results/local.mk
include core/view/local.mk
include core/figure/local.mk
include core/report/local.mk
include core/export/local.mk
include core/advice/local.mk
include core/main/local.mk

lib_LTLIBRARIES += libclopt.la
libclopt_la_SOURCES =
libclopt_la_LIBADD = libcloptcore.la
libclopt_la_LDFLAGS = -version-info 0:0:0 -export-symbols-regex '^clopt_' $(Z_DEFS)

bin_PROGRAMS += clopt
clopt_SOURCES = core/main/main.c
clopt_LDADD = libclopt.la

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/clopt.pc
