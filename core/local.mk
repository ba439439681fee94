# SPDX-License-Identifier: BSD-3-Clause
# libclopt, its installed headers, and the program.
pkginclude_HEADERS += \
	core/include/clopt/affine.h \
	core/include/clopt/app.h \
	core/include/clopt/clopt.h \
	core/include/clopt/coarsen.h \
	core/include/clopt/device.h \
	core/include/clopt/divergence.h \
	core/include/clopt/error.h \
	core/include/clopt/experiment.h \
	core/include/clopt/expression.h \
	core/include/clopt/file.h \
	core/include/clopt/footprint.h \
	core/include/clopt/layout.h \
	core/include/clopt/loop.h \
	core/include/clopt/memory.h \
	core/include/clopt/ndrange.h \
	core/include/clopt/optimization.h \
	core/include/clopt/owned.h \
	core/include/clopt/plugin.h \
	core/include/clopt/random.h \
	core/include/clopt/rewrite.h \
	core/include/clopt/scalar.h \
	core/include/clopt/source.h \
	core/include/clopt/tree.h \
	core/include/clopt/value.h \
	core/include/clopt/wisdom.h

# What each library is made of, with its inner functions visible: also for the library that tests link.
inner_cppflags = $(AM_CPPFLAGS) $(OPENCL_CFLAGS) $(INIH_CFLAGS) $(SQLITE_CFLAGS) \
	$(JANSSON_CFLAGS) $(LIBCLANG_CFLAGS) \
	-DCLOPT_PLUGINDIR='"$(plugindir)"' -DCLOPT_KERNELDIR='"$(kerneldir)"' \
	-DCLOPT_BINDIR='"$(bindir)"' -DCLOPT_SPACEDIR='"$(spacedir)"' -DCLOPT_CONFDIR='"$(confdir)"'
inner_cflags = $(parallel_cflags) -fvisibility=default -fno-semantic-interposition
inner_ldflags = $(OPENMP_CFLAGS)
inner_libs = $(OPENCL_LIBS) $(INIH_LIBS) $(SQLITE_LIBS) $(JANSSON_LIBS) \
	$(LTDL_LIBS) -lm

inner_parts = libcloptbase.la libcloptcore.la libcloptengine.la libcloptreport.la libcloptprogram.la

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
include core/peak/local.mk
include core/worker/local.mk
include core/race/local.mk
include core/supervisor/local.mk
include core/store/local.mk
include core/library/local.mk
include core/main/local.mk

# Objects know of the flags above.
$(libcloptcore_la_OBJECTS): core/local.mk

lib_LTLIBRARIES += libclopt.la
libclopt_la_SOURCES =
libclopt_la_LIBADD = $(inner_parts) $(inner_libs)
libclopt_la_LDFLAGS = -version-info 0:0:0 -Wl,--version-script=core/libclopt.map -Wl,-Bsymbolic-functions $(Z_DEFS)
libclopt_la_DEPENDENCIES = $(inner_parts) core/libclopt.map

# What the installed headers mark is promised, by the ABI number; the rest of what plugins of inner kinds call
# is tied to the release.
CLEANFILES += core/libclopt.map
core/libclopt.map: $(pkginclude_HEADERS)
	$(AM_V_GEN)$(MKDIR_P) core && { echo 'CLOPT_$(CLOPT_ABI) {' && echo 'global:' && (cd $(srcdir) && \
		sed -n 's/^CLOPT_API.*[ *]\(clopt_[a-z_0-9]*\)(.*/\1;/p' $(pkginclude_HEADERS)) | LC_ALL=C sort -u && \
		echo 'local: *; };' && echo 'CLOPT_INNER_$(PACKAGE_VERSION) { global: clopt_*; };'; } >$@-t && mv $@-t $@

bin_PROGRAMS += clopt
clopt_SOURCES = core/main/main.c
clopt_LDADD = libclopt.la
clopt_LDFLAGS =

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/clopt.pc core/clopt-inner.pc
