# SPDX-License-Identifier: BSD-3-Clause
# Numbers: values and expressions that users write, affine forms, random ones, statistics.
libcloptbase_la_SOURCES += \
	base/number/affine.c \
	base/number/expression.c \
	base/number/expression.h \
	base/number/expression_evaluate.c \
	base/number/expression_scan.c \
	base/number/expression_tree.h \
	base/number/list.c \
	base/number/number.c \
	base/number/number.h \
	base/number/random.c \
	base/number/ratio.c \
	base/number/ratio.h \
	base/number/scalar.c \
	base/number/statistics.c \
	base/number/statistics.h \
	base/number/value.c \
	base/number/values.c \
	base/number/values.h \
	base/number/verdict.c \
	base/number/verdict.h
