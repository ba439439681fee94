# SPDX-License-Identifier: BSD-3-Clause
# The store: one SQLite database a study.
libcloptcore_la_SOURCES += \
	core/store/outcome.c \
	core/store/cursor.c \
	core/store/cursor.h \
	core/store/run.c \
	core/store/samples.c \
	core/store/schema.c \
	core/store/statement.c \
	core/store/statement.h \
	core/store/statements.h \
	core/store/store.c \
	core/store/store.h \
	core/store/trial.c
