# SPDX-License-Identifier: BSD-3-Clause
# A plugin is built in the folder plugins, whatever folder its source is in, so that one search path
# finds all of them: plugin_LTLIBRARIES += plugins/NAME.la, plugins_NAME_la_SOURCES = plugins/apps/NAME/...,
# plugins_NAME_la_LDFLAGS = $(plugin_ldflags) and plugins_NAME_la_LIBADD = libclopt.la, or
# libclopt-rewrite.la libclopt.la for what rewrites kernels.
# What several plugins need is in plugins/shared. One line a plugin.
include plugins/apps/bfs/local.mk
include plugins/apps/crc/local.mk
include plugins/apps/kernel/local.mk
include plugins/apps/lud/local.mk
include plugins/apps/needle/local.mk
include plugins/apps/srad/local.mk
include plugins/optimizations/branches/local.mk
include plugins/optimizations/geometry/local.mk
include plugins/optimizations/loops/local.mk
include plugins/optimizations/memory/local.mk
include plugins/optimizations/precision/local.mk
include plugins/optimizations/vector/local.mk

include plugins/analyses/local.mk
include plugins/commands/local.mk
include plugins/counters/local.mk
include plugins/formats/local.mk
include plugins/launchers/local.mk
include plugins/observers/local.mk
include plugins/parameters/local.mk
include plugins/readers/local.mk
include plugins/rivals/local.mk
include plugins/strategies/local.mk
