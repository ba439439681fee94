# SPDX-License-Identifier: BSD-3-Clause
# The commands: command_NAME.c, or a folder NAME of what only it and a neighbour use.
plugin_LTLIBRARIES += plugins/commands.la
plugins_commands_la_CPPFLAGS = $(inner_cppflags)
plugins_commands_la_CFLAGS = $(parallel_cflags)
plugins_commands_la_LDFLAGS = $(plugin_ldflags)
plugins_commands_la_LIBADD = libclopt-rewrite.la libclopt-report.la libclopt.la $(SQLITE_LIBS) $(JANSSON_LIBS) -lm
plugins_commands_la_SOURCES = \
	plugins/shared/access_rates.c \
	plugins/shared/access_rates.h \
	plugins/shared/variant_parse.c \
	plugins/shared/variant_parse.h \
	plugins/commands/command_apply.c \
	plugins/commands/command_devices.c \
	plugins/commands/command_init.c \
	plugins/commands/command_judge.c \
	plugins/commands/command_merge.c \
	plugins/commands/command_new.c \
	plugins/commands/command_report.c \
	plugins/commands/command_run.c \
	plugins/commands/command_status.c \
	plugins/commands/command_tune.c \
	plugins/commands/device_access.c \
	plugins/commands/device_access.h \
	plugins/commands/commands.c

# What `clopt new` writes: each file of the examples as a path and a string.
$(plugins_commands_la_OBJECTS): | plugins/commands/templates.h
CLEANFILES += plugins/commands/templates.h
plugins/commands/templates.h: $(examples)
	$(AM_V_GEN)$(MKDIR_P) plugins/commands && for file in $^; do \
		echo "{\"$${file##*/examples/}\","; \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' "$$file" && echo '},' || exit 1; \
	done >$@.part && mv $@.part $@

include plugins/commands/advise/local.mk
include plugins/commands/capture/local.mk
include plugins/commands/check/local.mk
include plugins/commands/compare/local.mk
include plugins/commands/complete/local.mk
include plugins/commands/draft/local.mk
include plugins/commands/export/local.mk
include plugins/commands/gate/local.mk
include plugins/commands/judge/local.mk
include plugins/commands/merge/local.mk
include plugins/commands/plugins/local.mk
include plugins/commands/reproduce/local.mk
include plugins/commands/serve/local.mk
include plugins/commands/shared/local.mk
include plugins/commands/simulate/local.mk
include plugins/commands/study/local.mk
include plugins/commands/transform/local.mk
include plugins/commands/tune/local.mk
