# SPDX-License-Identifier: BSD-3-Clause
# What is to be tried: studies, their spaces, trials, and the variants that they stand for.
libcloptcore_la_SOURCES += \
	core/study/app_source.c \
	core/study/component.c \
	core/study/component.h \
	core/study/configurations.c \
	core/study/configurations.h \
	core/study/dry_run.c \
	core/study/dry_run.h \
	core/study/feasible.c \
	core/study/feasible.h \
	core/study/ini.c \
	core/study/ini.h \
	core/study/parameters.c \
	core/study/parameters.h \
	core/study/published.c \
	core/study/published.h \
	core/study/space.c \
	core/study/space.h \
	core/study/study.c \
	core/study/study.h \
	core/study/study_apps.c \
	core/study/study_description.c \
	core/study/study_description.h \
	core/study/study_devices.c \
	core/study/study_keys.c \
	core/study/study_keys.h \
	core/study/study_optimizations.c \
	core/study/study_parameters.c \
	core/study/study_parts.h \
	core/study/study_print.c \
	core/study/study_products.c \
	core/study/study_published.c \
	core/study/study_section.c \
	core/study/study_section.h \
	core/study/transform.c \
	core/study/transform.h \
	core/study/trial.c \
	core/study/trial.h \
	core/study/trial_key.c \
	core/study/trial_name.c \
	core/study/variant.c \
	core/study/variant.h \
	core/study/variant_json.c
