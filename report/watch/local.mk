# SPDX-License-Identifier: BSD-3-Clause
# What looks on while a study runs: what it does, where the time goes, what devices can do, how races end.
libcloptreport_la_SOURCES += \
	report/watch/device_peaks.c \
	report/watch/ending.c \
	report/watch/governor.c \
	report/watch/governor.h \
	report/watch/progress.c \
	report/watch/progress.h \
	report/watch/timeline.c \
	report/watch/timeline.h \
	report/watch/watch.c \
	report/watch/watch.h
