# SPDX-License-Identifier: BSD-3-Clause
# Documents, and the formats that they are written in: text, HTML, Markdown, LaTeX, CSV, JSON, figures.
libcloptcore_la_SOURCES += \
	core/document/document.c \
	core/document/document.h \
	core/document/folder.c \
	core/document/folder.h \
	core/document/format.c \
	core/document/format.h \
	core/document/grid.c \
	core/document/grid.h \
	core/document/html_style.c \
	core/document/html_style.h \
	core/document/notes.c \
	core/document/notes.h \
	core/document/write_csv.c \
	core/document/write_figures.c \
	core/document/write_html.c \
	core/document/write_json.c \
	core/document/write_latex.c \
	core/document/write_markdown.c \
	core/document/write_text.c
