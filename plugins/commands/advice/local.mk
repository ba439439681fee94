# SPDX-License-Identifier: BSD-3-Clause
# Advice from experience: what recorded spaces say of kernels that were never tried.
plugins_commands_la_SOURCES += \
	plugins/commands/advice/advice.c \
	plugins/commands/advice/advice.h \
	plugins/commands/advice/cost.c \
	plugins/commands/advice/experience.c \
	plugins/commands/advice/experience.h \
	plugins/commands/advice/model.c \
	plugins/commands/advice/print.c \
	plugins/commands/advice/proposals.c \
	plugins/commands/advice/recording.c \
	plugins/commands/advice/recording.h \
	plugins/commands/advice/training_record.c \
	plugins/commands/advice/training_record.h \
	plugins/commands/advice/validate.c
