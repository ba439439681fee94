# SPDX-License-Identifier: BSD-3-Clause
# libclopt, its installed headers, and the program.
# Each library promises what its headers mark.
core_headers = \
	core/include/clopt/app.h \
	core/include/clopt/device.h \
	core/include/clopt/error.h \
	core/include/clopt/expression.h \
	core/include/clopt/file.h \
	core/include/clopt/form.h \
	core/include/clopt/memory.h \
	core/include/clopt/ndrange.h \
	core/include/clopt/optimization.h \
	core/include/clopt/owned.h \
	core/include/clopt/plugin.h \
	core/include/clopt/random.h \
	core/include/clopt/scalar.h \
	core/include/clopt/text.h \
	core/include/clopt/value.h \
	library/include/clopt/wisdom.h
rewrite_headers = \
	engine/include/clopt/affine.h \
	engine/include/clopt/clopt.h \
	engine/include/clopt/coarsen.h \
	engine/include/clopt/divergence.h \
	engine/include/clopt/footprint.h \
	engine/include/clopt/layout.h \
	engine/include/clopt/loop.h \
	engine/include/clopt/rewrite.h \
	engine/include/clopt/source.h \
	engine/include/clopt/tree.h
report_headers = report/include/clopt/experiment.h
pkginclude_HEADERS += $(core_headers) $(rewrite_headers) $(report_headers)

# What each library is made of, with its inner functions visible: also for the library that tests link.
inner_cppflags = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) $(INIH_CFLAGS) $(SQLITE_CFLAGS) \
	$(JANSSON_CFLAGS) $(LIBCLANG_CFLAGS) \
	-DCLOPT_PLUGINDIR='"$(plugindir)"' -DCLOPT_KERNELDIR='"$(kerneldir)"' \
	-DCLOPT_BINDIR='"$(bindir)"' -DCLOPT_SPACEDIR='"$(spacedir)"' -DCLOPT_CONFDIR='"$(confdir)"'
inner_cflags = $(parallel_cflags) -fvisibility=default -fno-semantic-interposition
inner_ldflags = $(OPENMP_CFLAGS)
inner_libs = $(OPENCL_LIBS) $(INIH_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	$(LTDL_LIBS) -lm

# Of tests: all that the libraries are made of.
inner_parts = libcloptbase.la libcloptcore.la libcloptengine.la libcloptreport.la

# Makes a C string of a file, for what is printed or compiled as it is.
as_string = -e /SPDX-License-Identifier/d -e 's/[\\"]/\\&/g; s/.*/"&\\n"/'

noinst_LTLIBRARIES += libcloptcore.la
libcloptcore_la_CPPFLAGS = $(inner_cppflags)
libcloptcore_la_CFLAGS = $(inner_cflags)
libcloptcore_la_LDFLAGS = $(inner_ldflags)
libcloptcore_la_SOURCES =

include core/opencl/local.mk
include core/plugin/local.mk
include core/trial/local.mk
include core/space/local.mk
include core/study/local.mk
include core/search/local.mk
include core/protocol/local.mk
include core/pool/local.mk
include core/worker/local.mk
include core/race/local.mk
include core/supervisor/local.mk
include core/store/local.mk
include library/local.mk
include core/main/local.mk

# Objects know of the flags above.
$(libcloptcore_la_OBJECTS): core/local.mk

# Three libraries: what studies need; what rewrites kernels; what reports them.
lib_LTLIBRARIES += libclopt.la libclopt-rewrite.la libclopt-report.la
library_ldflags = -version-info 0:0:0 -Wl,-Bsymbolic-functions -Wl,--no-undefined-version $(Z_DEFS)
libclopt_la_SOURCES =
libclopt_la_LIBADD = libcloptbase.la libcloptcore.la $(inner_libs)
libclopt_la_LDFLAGS = $(library_ldflags) -Wl,--version-script=core/libclopt.map
libclopt_la_DEPENDENCIES = libcloptbase.la libcloptcore.la core/libclopt.map
libclopt_rewrite_la_SOURCES =
libclopt_rewrite_la_LIBADD = libcloptengine.la libclopt.la $(JANSSON_LIBS) -lm
libclopt_rewrite_la_LDFLAGS = $(library_ldflags) -Wl,--version-script=core/libclopt-rewrite.map
libclopt_rewrite_la_DEPENDENCIES = libcloptengine.la libclopt.la core/libclopt-rewrite.map
libclopt_report_la_SOURCES =
libclopt_report_la_LIBADD = libcloptreport.la libclopt.la $(SQLITE_LIBS) $(JANSSON_LIBS) -lm
libclopt_report_la_LDFLAGS = $(library_ldflags) -Wl,--version-script=core/libclopt-report.map
libclopt_report_la_DEPENDENCIES = libcloptreport.la libclopt.la core/libclopt-report.map

# What the installed headers mark is promised, by the ABI number; the rest of what plugins of inner kinds call
# is tied to the release.
maps = core/libclopt.map core/libclopt-rewrite.map core/libclopt-report.map
CLEANFILES += $(maps)
core/libclopt.map: $(core_headers)
core/libclopt-rewrite.map: $(rewrite_headers)
core/libclopt-report.map: $(report_headers)
$(maps): Makefile # which has the ABI number
	$(AM_V_GEN)$(MKDIR_P) core && { echo 'CLOPT_$(CLOPT_ABI) {' && echo 'global:' && \
		cat $(filter %.h,$^) | sed -n 's/^CLOPT_API.*[ *]\(clopt_[a-z_0-9]*\)(.*/\1;/p' | LC_ALL=C sort -u && \
		echo 'local: *; };' && echo 'CLOPT_INNER_$(PACKAGE_VERSION) { global: clopt_*; };'; } >$@-t && mv $@-t $@

bin_PROGRAMS += clopt
clopt_SOURCES = core/main/main.c
# Plugins of strangers find the libraries loaded, wherever they are installed.
clopt_LDADD = libclopt-rewrite.la libclopt-report.la libclopt.la
clopt_LDFLAGS = -Wl,--no-as-needed

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/clopt.pc core/clopt-inner.pc core/clopt-rewrite.pc core/clopt-report.pc
