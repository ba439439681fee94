# SPDX-License-Identifier: BSD-3-Clause
# One line a plugin.
include plugins/apps/lud/local.mk
include plugins/optimizations/geometry/local.mk
