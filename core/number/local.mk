# SPDX-License-Identifier: BSD-3-Clause
# Numbers: values and expressions that users write, affine forms, random ones, statistics.
libcloptcore_la_SOURCES += \
	core/number/affine.c \
	core/number/affine.h \
	core/number/change.c \
	core/number/change.h \
	core/number/expression.c \
	core/number/expression.h \
	core/number/expression_evaluate.c \
	core/number/expression_scan.c \
	core/number/expression_tree.h \
	core/number/list.c \
	core/number/number.c \
	core/number/number.h \
	core/number/permutation.c \
	core/number/permutation.h \
	core/number/ratio.c \
	core/number/ratio.h \
	core/number/statistics.c \
	core/number/statistics.h \
	core/number/value.c \
	core/number/values.c \
	core/number/values.h
