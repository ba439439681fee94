# SPDX-License-Identifier: BSD-3-Clause
# Results as documents of other programs: a device, problem and kernel each.
libcloptreport_la_SOURCES += \
	report/exchange/entry.c \
	report/exchange/exchange.c \
	report/exchange/exchange.h
