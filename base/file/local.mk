# SPDX-License-Identifier: BSD-3-Clause
# Files, folders, caches, and hashes of them.
libcloptbase_la_SOURCES += \
	base/file/cache.c \
	base/file/cache.h \
	base/file/file.c \
	base/file/file.h \
	base/file/file_hash.c \
	base/file/file_hash.h \
	base/file/file_save.c \
	base/file/folder.c \
	base/file/folder.h \
	base/file/inclusion.c \
	base/file/inclusion.h \
	base/file/sha256.c \
	base/file/sha256.h \
	base/file/temporary.c
