# SPDX-License-Identifier: BSD-3-Clause
# Writes the best variants of a store as files to use.
plugins_commands_la_SOURCES += \
	plugins/commands/export/between.c \
	plugins/commands/export/choose.c \
	plugins/commands/export/command_export.c \
	plugins/commands/export/describe.c \
	plugins/commands/export/export.c \
	plugins/commands/export/export.h \
	plugins/commands/export/hosts.c \
	plugins/commands/export/layouts.c \
	plugins/commands/export/make.c \
	plugins/commands/export/ranges.c \
	plugins/commands/export/sizes.c \
	plugins/commands/export/sizes.h \
	plugins/commands/export/sources.c \
	plugins/commands/export/substitutes.c \
	plugins/commands/export/template.c \
	plugins/commands/export/trace.c \
	plugins/commands/export/unit.h \
	plugins/commands/export/winners.c

# What is filled with names and numbers: each file as its name and a string. Who gets one of them may
# use it as his own.
export_templates = \
	plugins/commands/export/templates/host.c \
	plugins/commands/export/templates/host.py \
	plugins/commands/export/templates/host_layouts.c \
	plugins/commands/export/templates/host_layouts.py \
	plugins/commands/export/templates/launch.h \
	plugins/commands/export/templates/layouts.h
EXTRA_DIST += $(export_templates)
$(plugins_commands_la_OBJECTS): | plugins/commands/export/templates.h
CLEANFILES += plugins/commands/export/templates.h
plugins/commands/export/templates.h: $(export_templates)
	$(AM_V_GEN)$(MKDIR_P) plugins/commands/export && for file in $^; do \
		echo "{\"$${file##*/}\","; \
		sed '/SPDX-License-Identifier/d; s/[\\"]/\\&/g; s/.*/"&\\n"/' "$$file" && echo '},' || exit 1; \
	done >$@.part && mv $@.part $@
