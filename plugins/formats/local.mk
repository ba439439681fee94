# SPDX-License-Identifier: BSD-3-Clause
# Formats that documents are written in, and those of other tuners.
libcloptprogram_la_SOURCES += \
	plugins/formats/entry.c \
	plugins/formats/exchange.c \
	plugins/formats/exchange.h \
	plugins/formats/kernel_tuner.c \
	plugins/formats/space.c \
	plugins/formats/t4.c \
	plugins/formats/tree.c \
	plugins/formats/write_csv.c \
	plugins/formats/write_figures.c \
	plugins/formats/write_html.c \
	plugins/formats/write_json.c \
	plugins/formats/write_latex.c \
	plugins/formats/write_markdown.c \
	plugins/formats/write_text.c

# The style and the script of a page, as strings.
EXTRA_DIST += plugins/formats/page.css plugins/formats/page.js
$(libcloptprogram_la_OBJECTS): | plugins/formats/page_css.h plugins/formats/page_js.h
CLEANFILES += plugins/formats/page_css.h plugins/formats/page_js.h
plugins/formats/page_css.h: plugins/formats/page.css
	$(AM_V_GEN)$(MKDIR_P) plugins/formats && sed $(as_string) $< >$@.part && mv $@.part $@
plugins/formats/page_js.h: plugins/formats/page.js
	$(AM_V_GEN)$(MKDIR_P) plugins/formats && sed $(as_string) $< >$@.part && mv $@.part $@
