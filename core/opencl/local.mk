# SPDX-License-Identifier: BSD-3-Clause
# OpenCL itself: devices and names.
libcloptcore_la_SOURCES += \
	core/opencl/context.c \
	core/opencl/context.h \
	core/opencl/device.c \
	core/opencl/device.h \
	core/opencl/device_json.c \
	core/opencl/listing.c \
	core/opencl/listing.h \
	core/opencl/name.c \
	core/opencl/name.h \
	core/opencl/traits.c \
	core/opencl/traits.h
