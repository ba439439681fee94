# SPDX-License-Identifier: BSD-3-Clause
# What several reports show: devices, settings, marks, summaries of a run, and the interface of analyses.
libcloptreport_la_SOURCES += \
	report/view/analysis.c \
	report/view/analysis.h \
	report/view/experiment.c \
	report/view/fields.c \
	report/view/marks.c \
	report/view/members.c \
	report/view/portability.c \
	report/view/report.h \
	report/view/setting.c \
	report/view/shortage.c \
	report/view/summary.c \
	report/view/view.c \
	report/view/view.h
