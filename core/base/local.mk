# SPDX-License-Identifier: BSD-3-Clause
# What everything else stands on; knows nothing of OpenCL.
libcloptcore_la_SOURCES += \
	core/base/clock.c \
	core/base/clock.h \
	core/base/error.c \
	core/base/expression.c \
	core/base/expression.h \
	core/base/expression_arithmetic.c \
	core/base/expression_evaluate.c \
	core/base/expression_parse.c \
	core/base/expression_parse.h \
	core/base/expression_scan.c \
	core/base/file.c \
	core/base/file.h \
	core/base/file_hash.c \
	core/base/file_hash.h \
	core/base/file_save.c \
	core/base/folder.c \
	core/base/folder.h \
	core/base/json.c \
	core/base/json.h \
	core/base/list.c \
	core/base/matrix_market.c \
	core/base/number.c \
	core/base/number.h \
	core/base/permutation.c \
	core/base/permutation.h \
	core/base/program.c \
	core/base/program.h \
	core/base/random.c \
	core/base/rate.c \
	core/base/rate.h \
	core/base/sha256.c \
	core/base/sha256.h \
	core/base/statistics.c \
	core/base/statistics.h \
	core/base/suggest.c \
	core/base/suggest.h \
	core/base/table.c \
	core/base/table.h \
	core/base/text.c \
	core/base/text.h \
	core/base/value.c \
	core/base/values.c \
	core/base/values.h \
	core/base/wrap.c \
	core/base/wrap.h
