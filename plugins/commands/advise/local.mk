# SPDX-License-Identifier: BSD-3-Clause
# Advice from experience: what recorded spaces say of kernels that were never tried.
plugins_commands_la_SOURCES += \
	plugins/commands/advise/advice.c \
	plugins/commands/advise/advice.h \
	plugins/commands/advise/command_advise.c \
	plugins/commands/advise/cost.c \
	plugins/commands/advise/experience.c \
	plugins/commands/advise/experience.h \
	plugins/commands/advise/guideline.c \
	plugins/commands/advise/guideline.h \
	plugins/commands/advise/kernel_pattern.c \
	plugins/commands/advise/kernel_pattern.h \
	plugins/commands/advise/model.c \
	plugins/commands/advise/pattern_counters.c \
	plugins/commands/advise/pattern_find.h \
	plugins/commands/advise/pattern_items.c \
	plugins/commands/advise/pattern_rows.c \
	plugins/commands/advise/pattern_say.c \
	plugins/commands/advise/pattern_search.c \
	plugins/commands/advise/pattern_shared.c \
	plugins/commands/advise/pattern_start.c \
	plugins/commands/advise/pattern_start.h \
	plugins/commands/advise/print.c \
	plugins/commands/advise/proposals.c \
	plugins/commands/advise/recording.c \
	plugins/commands/advise/recording.h \
	plugins/commands/advise/training_record.c \
	plugins/commands/advise/training_record.h \
	plugins/commands/advise/validate.c \
	plugins/shared/device_class.c \
	plugins/shared/device_class.h \
	plugins/shared/space_variant.c \
	plugins/shared/space_variant.h
