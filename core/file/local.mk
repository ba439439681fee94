# SPDX-License-Identifier: BSD-3-Clause
# Files, folders, caches, and hashes of them.
libcloptcore_la_SOURCES += \
	core/file/cache.c \
	core/file/cache.h \
	core/file/file.c \
	core/file/file.h \
	core/file/file_hash.c \
	core/file/file_hash.h \
	core/file/file_save.c \
	core/file/file_set.c \
	core/file/file_set.h \
	core/file/folder.c \
	core/file/folder.h \
	core/file/sha256.c \
	core/file/sha256.h \
	core/file/temporary.c
