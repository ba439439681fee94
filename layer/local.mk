# SPDX-License-Identifier: BSD-3-Clause
# The layer that OpenCL's loader puts between an application and the drivers: a shared object of its
# own, which needs nothing of libclopt. It is where the plugins are.
plugin_LTLIBRARIES += plugins/libclopt-layer.la
plugins_libclopt_layer_la_SOURCES = \
	layer/activity.c \
	layer/apply.c \
	layer/apply.h \
	layer/binary.c \
	layer/build.c \
	layer/capture.c \
	layer/capture.h \
	layer/captured.c \
	layer/check.c \
	layer/kernel.c \
	layer/launch.c \
	layer/layer.c \
	layer/layer.h \
	layer/layout.c \
	layer/memory.c \
	layer/objects.c \
	layer/program.c \
	layer/program.h \
	layer/proxy.c \
	layer/queue.c \
	layer/record.c \
	layer/sibling.c \
	layer/times.c \
	layer/transfer.c \
	plugins/commands/capture/loaders.c \
	plugins/commands/capture/record.c \
	library/family.c \
	library/family.h \
	library/kept.c \
	library/kept.h \
	library/winner.h \
	library/parse.c \
	library/wisdom.c \
	core/opencl/traits.c \
	core/opencl/traits.h \
	core/trial/launch_range.c \
	core/trial/transform.h \
	base/file/cache.c \
	base/file/cache.h \
	base/file/file.c \
	base/file/folder.c \
	base/file/folder.h \
	base/file/inclusion.c \
	base/file/sha256.c \
	base/number/affine.c \
	base/number/number.c \
	base/number/scalar.c \
	base/text/build_options.c \
	base/text/error.c \
	base/text/memory.c \
	base/text/text.c
plugins_libclopt_layer_la_CPPFLAGS = $(AM_CPPFLAGS) -UCL_TARGET_OPENCL_VERSION \
	-DCL_TARGET_OPENCL_VERSION=300 $(OPENCL_CFLAGS)
plugins_libclopt_layer_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
plugins_libclopt_layer_la_LDFLAGS = -module -avoid-version -shared \
	-export-symbols-regex '^cl(GetLayerInfo|InitLayer)$$' $(Z_DEFS) -Wl,-z,now -Wl,-z,nodelete
plugins_libclopt_layer_la_LIBADD = -lpthread -lm
