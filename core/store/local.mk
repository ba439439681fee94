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
	core/store/store.c \
	core/store/store.h \
	core/store/trial.c

# The tables, as a string; and what is asked of them, as SQL(NAME, "TEXT").
EXTRA_DIST += core/store/schema.sql core/store/statements.sql
$(libcloptcore_la_OBJECTS): | core/store/schema_sql.h
CLEANFILES += core/store/schema_sql.h
core/store/schema_sql.h: core/store/schema.sql
	$(AM_V_GEN)$(MKDIR_P) core/store && sed $(as_string) $< >$@.part && mv $@.part $@
BUILT_SOURCES += core/store/statements_sql.h
CLEANFILES += core/store/statements_sql.h
core/store/statements_sql.h: core/store/statements.sql
	$(AM_V_GEN)$(MKDIR_P) core/store && sed -e '/^-- name: /{s//SQL(/;s/$$/,/;b' -e '}' -e '/^--/d' -e '/^$$/d' \
		$(as_string) -e '/;\\n"$$/s/$$/)/' $< >$@.part && mv $@.part $@
