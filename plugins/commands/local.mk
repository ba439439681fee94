# SPDX-License-Identifier: BSD-3-Clause
# The commands, each with what only it uses.
libcloptprogram_la_SOURCES += \
	plugins/commands/application.h \
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
	plugins/commands/command_transform.c \
	plugins/commands/command_tune.c \
	plugins/commands/failures.c \
	plugins/commands/run_parts.h \
	plugins/commands/run_trial.c

# What `clopt new` writes: each file of the examples as a path and a string.
$(libcloptprogram_la_OBJECTS): | plugins/commands/templates.h
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
