# SPDX-License-Identifier: BSD-3-Clause
# Charts, and the one place that writes gnuplot's commands.
libcloptcore_la_SOURCES += \
	core/chart/chart.c \
	core/chart/chart.h \
	core/chart/gnuplot.c \
	core/chart/svg.c
