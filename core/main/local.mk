# SPDX-License-Identifier: BSD-3-Clause
# The command line: one file a command.
libcloptcore_la_SOURCES += \
	core/main/application.h \
	core/main/clopt_main.c \
	core/main/command.h \
	core/main/command_advise.c \
	core/main/command_apply.c \
	core/main/command_capture.c \
	core/main/command_check.c \
	core/main/command_compare.c \
	core/main/command_devices.c \
	core/main/command_export.c \
	core/main/command_complete.c \
	core/main/command_init.c \
	core/main/command_merge.c \
	core/main/command_new.c \
	core/main/command_plugins.c \
	core/main/command_profile.c \
	core/main/command_report.c \
	core/main/command_transform.c \
	core/main/command_tune.c \
	core/main/command_reproduce.c \
	core/main/command_run.c \
	core/main/command_simulate.c \
	core/main/command_status.c \
	core/main/command_study.c \
	core/main/command_worker.c \
	core/main/failures.c \
	core/main/output.c \
	core/main/output.h \
	core/main/run_parts.h \
	core/main/run_trial.c \
	core/main/study_command.h \
	core/main/usage.c

# What `clopt new` writes: each file of the examples as a path and a string.
$(libcloptcore_la_OBJECTS): | core/main/templates.h
CLEANFILES += core/main/templates.h
core/main/templates.h: $(examples)
	$(AM_V_GEN)$(MKDIR_P) core/main && for file in $^; do \
		echo "{\"$${file##*/examples/}\","; \
		sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' "$$file" && echo '},' || exit 1; \
	done >$@.part && mv $@.part $@
