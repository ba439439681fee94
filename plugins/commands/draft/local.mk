# SPDX-License-Identifier: BSD-3-Clause
# The first study of a file of kernels: written, checked at small sizes, given sizes.
plugins_commands_la_SOURCES += \
	plugins/commands/draft/check.c \
	plugins/commands/draft/draft.c \
	plugins/commands/draft/draft.h \
	plugins/commands/draft/seal.c \
	plugins/commands/draft/search.c \
	plugins/commands/draft/sizes.c
