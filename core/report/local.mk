# SPDX-License-Identifier: BSD-3-Clause
# Reports from a store alone: text, CSV, JSON, HTML, figures, formats of other auto-tuners.
libcloptcore_la_SOURCES += \
	core/report/exchange.c \
	core/report/exchange.h \
	core/report/exchange_entry.c \
	core/report/fields.c \
	core/report/fields.h \
	core/report/figure.c \
	core/report/figure.h \
	core/report/figure_draw.c \
	core/report/figure_layout.c \
	core/report/figure_layout.h \
	core/report/figure_script.c \
	core/report/figure_svg.c \
	core/report/figures.c \
	core/report/folder.c \
	core/report/folder.h \
	core/report/footnotes.c \
	core/report/footnotes.h \
	core/report/gather.c \
	core/report/grid.c \
	core/report/grid.h \
	core/report/html.c \
	core/report/html.h \
	core/report/patterns.c \
	core/report/portability.c \
	core/report/portability.h \
	core/report/portability_grid.c \
	core/report/portability_json.c \
	core/report/published.c \
	core/report/rank.c \
	core/report/report.h \
	core/report/report_csv.c \
	core/report/report_html.c \
	core/report/report_json.c \
	core/report/report_kernel_tuner.c \
	core/report/report_t4.c \
	core/report/report_table.c \
	core/report/report_table.h \
	core/report/report_text.c \
	core/report/results.h \
	core/report/summary.c \
	core/report/summary.h \
	core/report/tunables.c \
	core/report/tunables.h \
	core/report/view.c \
	core/report/view.h
