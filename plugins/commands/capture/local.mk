# SPDX-License-Identifier: BSD-3-Clause
# Applications with the layer: started, and what it has recorded.
plugins_commands_la_SOURCES += \
	plugins/commands/capture/activities.c \
	plugins/commands/capture/activities.h \
	plugins/commands/capture/application.c \
	plugins/commands/capture/application.h \
	plugins/commands/capture/argument.c \
	plugins/commands/capture/argument.h \
	plugins/commands/capture/captured.c \
	plugins/commands/capture/captured.h \
	plugins/commands/capture/command_application.h \
	plugins/commands/capture/command_capture.c \
	plugins/commands/capture/command_profile.c \
	plugins/commands/capture/launch.c \
	plugins/commands/capture/launch.h \
	plugins/commands/capture/profile.c \
	plugins/commands/capture/profile.h \
	plugins/commands/capture/record.h \
	plugins/commands/capture/study.c \
	plugins/commands/capture/study.h \
	plugins/commands/capture/timeline.c \
	plugins/commands/capture/timeline.h
