# SPDX-License-Identifier: BSD-3-Clause
# Trials, and the variants that their steps make: what supervisor and workers share.
libcloptcore_la_SOURCES += \
	core/trial/app_source.c \
	core/trial/change.c \
	core/trial/launch_range.c \
	core/trial/observer.h \
	core/trial/rate.c \
	core/trial/rate.h \
	core/trial/rival.c \
	core/trial/rival.h \
	core/trial/operations.c \
	core/trial/transform.c \
	core/trial/transform.h \
	core/trial/trial.c \
	core/trial/trial.h \
	core/trial/trial_key.c \
	core/trial/trial_name.c \
	core/trial/variant.c \
	core/trial/variant.h \
	core/trial/variant_json.c

# The kernels that permute buffers, as a string, which the layer has, too.
EXTRA_DIST += core/trial/permute.cl
$(libcloptcore_la_OBJECTS) $(plugins_libclopt_layer_la_OBJECTS): | core/trial/permute_text.h
CLEANFILES += core/trial/permute_text.h
core/trial/permute_text.h: core/trial/permute.cl
	$(AM_V_GEN)$(MKDIR_P) core/trial && sed $(as_string) $< >$@.part && mv $@.part $@
