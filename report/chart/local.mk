# SPDX-License-Identifier: BSD-3-Clause
# Charts, and the one place that writes gnuplot's commands.
libcloptreport_la_SOURCES += \
	report/chart/chart.c \
	report/chart/chart.h \
	report/chart/gnuplot.c \
	report/chart/svg.c
