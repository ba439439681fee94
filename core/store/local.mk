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

# The tables, as a string.
EXTRA_DIST += core/store/schema.sql
$(libcloptcore_la_OBJECTS): | core/store/schema_sql.h
CLEANFILES += core/store/schema_sql.h
core/store/schema_sql.h: core/store/schema.sql
	$(AM_V_GEN)$(MKDIR_P) core/store && sed $(as_string) $< >$@.part && mv $@.part $@
