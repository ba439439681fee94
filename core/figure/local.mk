# SPDX-License-Identifier: BSD-3-Clause
# Figures, drawn by gnuplot and Graphviz.
libcloptcore_la_SOURCES += \
	core/figure/access_figure.c \
	core/figure/access_figure.h \
	core/figure/figure.c \
	core/figure/figure.h \
	core/figure/figure_draw.c \
	core/figure/figure_layout.c \
	core/figure/figure_layout.h \
	core/figure/figure_script.c \
	core/figure/figure_svg.c \
	core/figure/folder.c \
	core/figure/folder.h \
	core/figure/html.c \
	core/figure/html.h \
	core/figure/productivity_figure.c \
	core/figure/productivity_figure.h \
	core/figure/timeline.c \
	core/figure/timeline.h \
	core/figure/tree_page.c \
	core/figure/tree_page.h
