# SPDX-License-Identifier: BSD-3-Clause
# OpenCL itself: devices, names, programs, and kernels of clopt's own.
libcloptcore_la_SOURCES += \
	core/opencl/build.c \
	core/opencl/build.h \
	core/opencl/clock.c \
	core/opencl/clock.h \
	core/opencl/context.c \
	core/opencl/context.h \
	core/opencl/counter.h \
	core/opencl/device.c \
	core/opencl/device.h \
	core/opencl/device_field.h \
	core/opencl/device_json.c \
	core/opencl/event_time.c \
	core/opencl/event_time.h \
	core/opencl/listing.c \
	core/opencl/listing.h \
	core/opencl/name.c \
	core/opencl/name.h \
	core/opencl/runner.c \
	core/opencl/runner.h \
	core/opencl/traits.c \
	core/opencl/traits.h
