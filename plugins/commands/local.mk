# SPDX-License-Identifier: BSD-3-Clause
# The commands, each with what only it uses.
plugin_LTLIBRARIES += plugins/commands.la
plugins_commands_la_CPPFLAGS = $(inner_cppflags)
plugins_commands_la_CFLAGS = $(parallel_cflags)
plugins_commands_la_LDFLAGS = $(plugin_ldflags)
plugins_commands_la_LIBADD = libclopt-rewrite.la libclopt-report.la libclopt.la $(JANSSON_LIBS) -lm
plugins_commands_la_SOURCES = \
	plugins/commands/analyze.c \
	plugins/commands/analyze.h \
	plugins/commands/application.h \
	plugins/commands/asked_device.c \
	plugins/commands/asked_device.h \
	plugins/commands/drafted_check.h \
	plugins/commands/command_advise.c \
	plugins/commands/command_apply.c \
	plugins/commands/command_capture.c \
	plugins/commands/command_check.c \
	plugins/commands/command_compare.c \
	plugins/commands/command_complete.c \
	plugins/commands/command_devices.c \
	plugins/commands/command_export.c \
	plugins/commands/command_init.c \
	plugins/commands/command_merge.c \
	plugins/commands/command_new.c \
	plugins/commands/command_profile.c \
	plugins/commands/command_report.c \
	plugins/commands/command_reproduce.c \
	plugins/commands/command_run.c \
	plugins/commands/command_simulate.c \
	plugins/commands/command_status.c \
	plugins/commands/command_study.c \
	plugins/commands/command_transform.c \
	plugins/commands/command_tune.c \
	plugins/commands/commands.c \
	plugins/commands/commands.h \
	plugins/commands/captured.c \
	plugins/commands/captured.h \
	plugins/commands/comparison.c \
	plugins/commands/comparison.h \
	plugins/commands/comparison_print.c \
	plugins/commands/failures.c \
	plugins/commands/findings.c \
	plugins/commands/host_list.c \
	plugins/commands/output.c \
	plugins/commands/output.h \
	plugins/commands/run_parts.h \
	plugins/commands/run_trial.c \
	plugins/commands/simulation.c \
	plugins/commands/simulation.h \
	plugins/commands/study_command.h

# What `clopt new` writes: each file of the examples as a path and a string.
$(plugins_commands_la_OBJECTS): | plugins/commands/templates.h
CLEANFILES += plugins/commands/templates.h
plugins/commands/templates.h: $(examples)
	$(AM_V_GEN)$(MKDIR_P) plugins/commands && for file in $^; do \
		echo "{\"$${file##*/examples/}\","; \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' "$$file" && echo '},' || exit 1; \
	done >$@.part && mv $@.part $@

include plugins/commands/advice/local.mk
include plugins/commands/capture/local.mk
include plugins/commands/completion/local.mk
include plugins/commands/draft/local.mk
include plugins/commands/export/local.mk
