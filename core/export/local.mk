# SPDX-License-Identifier: BSD-3-Clause
# Writes the best variants of a store as files to use.
libcloptcore_la_SOURCES += \
	core/export/choose.c \
	core/export/describe.c \
	core/export/export.c \
	core/export/export.h \
	core/export/hosts.c \
	core/export/make.c \
	core/export/sources.c \
	core/export/template.c \
	core/export/trace.c \
	core/export/unit.h \
	core/export/winner.h \
	core/export/winners.c \
	core/export/wisdom.c

# What is filled with names and numbers: each file as its name and a string. Who gets one of them may
# use it as his own.
export_templates = \
	core/export/templates/host.c \
	core/export/templates/host.py \
	core/export/templates/launch.h
EXTRA_DIST += $(export_templates)
$(libcloptcore_la_OBJECTS): | core/export/templates.h
CLEANFILES += core/export/templates.h
core/export/templates.h: $(export_templates)
	$(AM_V_GEN)$(MKDIR_P) core/export && for file in $^; do \
		echo "{\"$${file##*/}\","; \
		sed '/SPDX-License-Identifier/d; s/[\\"]/\\&/g; s/.*/"&\\n"/' "$$file" && echo '},' || exit 1; \
	done >$@.part && mv $@.part $@
