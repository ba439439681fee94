# SPDX-License-Identifier: BSD-3-Clause
# Documents, and what formats are made of.
libcloptreport_la_SOURCES += \
	report/document/document.c \
	report/document/document.h \
	report/document/file_set.c \
	report/document/file_set.h \
	report/document/folder.c \
	report/document/format.c \
	report/document/format.h \
	report/document/grid.c \
	report/document/grid.h
