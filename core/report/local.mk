# SPDX-License-Identifier: BSD-3-Clause
# Reports from a store alone: text, HTML, Markdown, LaTeX, CSV, JSON, figures, formats of other auto-tuners.
libcloptcore_la_SOURCES += \
	core/report/comparison.c \
	core/report/comparison.h \
	core/report/comparison_print.c \
	core/report/document.c \
	core/report/effect.c \
	core/report/effect.h \
	core/report/effect_figure.c \
	core/report/effect_print.c \
	core/report/exchange.c \
	core/report/exchange.h \
	core/report/exchange_entry.c \
	core/report/figures.c \
	core/report/overview.c \
	core/report/overview.h \
	core/report/productivity.c \
	core/report/report.h \
	core/report/report_counters.c \
	core/report/report_csv.c \
	core/report/report_json.c \
	core/report/report_kernel_tuner.c \
	core/report/report_space.c \
	core/report/report_t4.c \
	core/report/report_table.c \
	core/report/report_table.h \
	core/report/report_tree.c \
	core/report/simulation.c \
	core/report/simulation.h \
	core/report/simulation_figure.c \
	core/report/simulation_print.c \
	core/report/write_html.c \
	core/report/write_latex.c \
	core/report/write_markdown.c \
	core/report/write_text.c \
	core/report/writer.c \
	core/report/writer.h
