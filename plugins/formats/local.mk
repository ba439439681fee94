# SPDX-License-Identifier: BSD-3-Clause
# Formats that documents are written in, and those of other tuners.
plugin_LTLIBRARIES += plugins/formats.la
plugins_formats_la_CPPFLAGS = $(inner_cppflags)
plugins_formats_la_CFLAGS = $(parallel_cflags)
plugins_formats_la_LDFLAGS = $(plugin_ldflags)
plugins_formats_la_LIBADD = libclopt-report.la libclopt.la $(JANSSON_LIBS) -lm
plugins_formats_la_SOURCES = \
	plugins/formats/formats.c \
	plugins/formats/formats.h \
	plugins/formats/kernel_tuner.c \
	plugins/formats/space.c \
	plugins/formats/t4.c \
	plugins/formats/write_csv.c \
	plugins/formats/write_figures.c \
	plugins/formats/write_html.c \
	plugins/formats/write_json.c \
	plugins/formats/write_latex.c \
	plugins/formats/write_markdown.c \
	plugins/formats/write_text.c

# The style and the script of a page, as strings.
EXTRA_DIST += plugins/formats/page.css plugins/formats/page.js
$(plugins_formats_la_OBJECTS): | plugins/formats/page_css.h plugins/formats/page_js.h
CLEANFILES += plugins/formats/page_css.h plugins/formats/page_js.h
plugins/formats/page_css.h: plugins/formats/page.css
	$(AM_V_GEN)$(MKDIR_P) plugins/formats && sed $(as_string) $< >$@.part && mv $@.part $@
plugins/formats/page_js.h: plugins/formats/page.js
	$(AM_V_GEN)$(MKDIR_P) plugins/formats && sed $(as_string) $< >$@.part && mv $@.part $@
