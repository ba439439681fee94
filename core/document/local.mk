# SPDX-License-Identifier: BSD-3-Clause
# Documents, and the formats that they are written in: text, HTML, Markdown, LaTeX, CSV, JSON, figures.
libcloptcore_la_SOURCES += \
	core/document/document.c \
	core/document/document.h \
	core/document/format.c \
	core/document/format.h \
	core/document/grid.c \
	core/document/grid.h \
	core/document/write_csv.c \
	core/document/write_figures.c \
	core/document/write_html.c \
	core/document/write_json.c \
	core/document/write_latex.c \
	core/document/write_markdown.c \
	core/document/write_text.c

# The style and the script of a page, as strings.
EXTRA_DIST += core/document/page.css core/document/page.js
$(libcloptcore_la_OBJECTS): | core/document/page_css.h core/document/page_js.h
CLEANFILES += core/document/page_css.h core/document/page_js.h
core/document/page_css.h: core/document/page.css
	$(AM_V_GEN)$(MKDIR_P) core/document && sed $(as_string) $< >$@.part && mv $@.part $@
core/document/page_js.h: core/document/page.js
	$(AM_V_GEN)$(MKDIR_P) core/document && sed $(as_string) $< >$@.part && mv $@.part $@
