# SPDX-License-Identifier: BSD-3-Clause
# Advice from experience: what recorded spaces say of kernels that were never tried.
libcloptcore_la_SOURCES += \
	core/advice/advice.c \
	core/advice/advice.h \
	core/advice/cost.c \
	core/advice/experience.c \
	core/advice/experience.h \
	core/advice/model.c \
	core/advice/print.c \
	core/advice/proposals.c \
	core/advice/training_record.c \
	core/advice/training_record.h \
	core/advice/validate.c
