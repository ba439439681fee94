# SPDX-License-Identifier: BSD-3-Clause
# The layer that OpenCL's loader puts between an application and the drivers: a shared object of its
# own, which needs nothing of libclopt. It is where the plugins are.
plugin_LTLIBRARIES += plugins/libclopt-layer.la
plugins_libclopt_layer_la_SOURCES = \
	core/layer/apply.c \
	core/layer/capture.c \
	core/layer/capture.h \
	core/layer/captured.c \
	core/layer/kernel.c \
	core/layer/launch.c \
	core/layer/layer.c \
	core/layer/layer.h \
	core/layer/memory.c \
	core/layer/objects.c \
	core/layer/program.c \
	core/layer/queue.c \
	core/layer/record.c \
	core/export/winner.h \
	core/export/wisdom.c \
	core/file/sha256.c \
	core/text/error.c \
	core/text/memory.c \
	core/text/text.c
plugins_libclopt_layer_la_CPPFLAGS = $(AM_CPPFLAGS) -UCL_TARGET_OPENCL_VERSION \
	-DCL_TARGET_OPENCL_VERSION=300 $(OPENCL_CFLAGS)
plugins_libclopt_layer_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden
plugins_libclopt_layer_la_LDFLAGS = -module -avoid-version -shared \
	-export-symbols-regex '^cl(GetLayerInfo|InitLayer)$$' $(Z_DEFS) -Wl,-z,now -Wl,-z,nodelete
plugins_libclopt_layer_la_LIBADD = -lpthread -lm
