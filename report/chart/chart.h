/* SPDX-License-Identifier: BSD-3-Clause */
/* A chart: panels of lines, points, bands and boxes with numbers and labels, before it is drawn. */
#pragma once

#include "text/text.h"

#define CLOPT_CHART_WIDTH 960 /* pixels, in which heights are, too */
#define CLOPT_CHART_INK   "#222222"
#define CLOPT_CHART_SOFT  "#dddddd"

enum clopt_series_kind {
    CLOPT_SERIES_LINE,      /* through its points, with their intervals of y */
    CLOPT_SERIES_STEPS,     /* a line that goes on until the next point */
    CLOPT_SERIES_POINTS,    /* with their intervals of y */
    CLOPT_SERIES_DOTS,      /* small ones */
    CLOPT_SERIES_BAND,      /* between y_low and y_high */
    CLOPT_SERIES_BOXES,     /* from x_low to x_high, y_low to y_high */
    CLOPT_SERIES_FAINT,     /* the same, so that what is below is seen */
    CLOPT_SERIES_HOLLOW,    /* the same, with nothing in them */
    CLOPT_SERIES_INTERVALS, /* of x */
    CLOPT_SERIES_UPRIGHT,   /* intervals of y alone */
};

/* What is not used is 0; an interval whose end is NaN is not drawn. */
struct clopt_point {
    double x, y;
    double x_low, x_high;
    double y_low, y_high;
};

struct clopt_series {
    enum clopt_series_kind kind;
    char color[8]; /* "#rrggbb" */
    int style;     /* of points and dashes: 0, 1, 2 ... */
    char *title;   /* NULL: it is not in the key */
    struct clopt_point *points;
    size_t count;
};

struct clopt_chart_tic {
    double at;
    char *label;
};

struct clopt_axis {
    char *label; /* NULL: none */
    bool logarithmic;
    double low, high; /* both 0: as far as the points go */
    struct clopt_chart_tic *tics;
    size_t tic_count; /* 0: gnuplot chooses them */
};

enum clopt_chart_side { CLOPT_CHART_LEFT, CLOPT_CHART_RIGHT };

/* A text at a place of the axes. */
struct clopt_chart_label {
    double x, y;
    enum clopt_chart_side side; /* which end of it is there */
    bool bold;
    char *text;
};

struct clopt_panel {
    char *title;
    struct clopt_axis x, y;
    struct clopt_series *series;
    size_t count;
    struct clopt_chart_label *labels;
    size_t label_count;
};

/* All zero is an empty chart. */
struct clopt_chart {
    char *name;  /* of a file, without its ending: "app-problem-kernel" */
    char *title; /* what it shows, also for those who cannot see it */
    double height;
    size_t columns;     /* panels side by side; 0: one */
    size_t margin;      /* characters that the names at the left need, once for panels side by
                         * side; 0: gnuplot knows */
    size_t right;       /* the same of labels at the right */
    double top, bottom; /* pixels above and below rows with names; 0: gnuplot knows */
    char *graph;        /* instead of panels: a graph in Graphviz' language; NULL: none */
    struct clopt_panel *panels;
    size_t count;
};

enum clopt_axis_kind { CLOPT_X, CLOPT_Y, CLOPT_LOG_X, CLOPT_LOG_Y };

/* Build a chart from left to right: each panel, and each series, is that of what follows. The name
 * of its file is made of texts, up to a NULL, of which what may do harm there is a _. An axis needs
 * no name. A series has the style 0 unless another one is said. */
void clopt_chart_begin(struct clopt_chart *chart, double height, ...);
void clopt_chart_title(struct clopt_chart *chart, const char *format, ...) CLOPT_PRINTF(2, 3);
void clopt_chart_panel(struct clopt_chart *chart, const char *title);
void clopt_chart_axis(struct clopt_chart *chart, enum clopt_axis_kind kind, double low, double high,
                      const char *format, ...) CLOPT_PRINTF(5, 6);
void clopt_chart_tic(struct clopt_chart *chart, enum clopt_axis_kind kind, double at,
                     const char *format, ...) CLOPT_PRINTF(4, 5);
void clopt_chart_series(struct clopt_chart *chart, enum clopt_series_kind kind, const char *color,
                        const char *title);
void clopt_chart_style(struct clopt_chart *chart, int style);
void clopt_chart_point(struct clopt_chart *chart, struct clopt_point point);
void clopt_chart_xy(struct clopt_chart *chart, double x, double y);
void clopt_chart_label(struct clopt_chart *chart, double x, double y, enum clopt_chart_side side,
                       bool bold, const char *text);
/* Numbers an axis that is logarithmic at 1, 2 and 5 of the powers of ten. */
void clopt_chart_number(struct clopt_chart *chart, enum clopt_axis_kind kind, double low,
                        double high);
/* Whether any series has a point. */
bool clopt_chart_is_empty(const struct clopt_chart *chart);
void clopt_chart_fini(struct clopt_chart *chart);

/* Returns how many seconds the unit has in which a chart shows so long a time, and names it. */
double clopt_chart_span(double seconds, const char **unit);

/* Returns one of the colors that people who are color-blind can tell apart; the last is gray. */
#define CLOPT_CHART_COLORS 7
const char *clopt_chart_color(size_t number);

enum clopt_chart_format { CLOPT_CHART_SVG, CLOPT_CHART_PNG, CLOPT_CHART_PDF, CLOPT_CHART_DOT };

/* Finds a format by its name, which is also the ending of its files. */
enum clopt_status clopt_chart_format_find(const char *name, enum clopt_chart_format *format,
                                          struct clopt_error *error);
const char *clopt_chart_ending(enum clopt_chart_format format);

/* Finds gnuplot; the caller frees its path. NULL: it is missing. */
char *clopt_chart_find_gnuplot(struct clopt_error *error);

/* Draws a chart with the program gnuplot, a graph with Graphviz, and appends the file to `output`.
 * `alone`: it has its title, and a white ground. Of an SVG, `name` sets its parts apart from those
 * of other ones on a page. Whatever the names in it are, they are only shown. */
enum clopt_status clopt_chart_draw(const struct clopt_chart *chart, const char *gnuplot,
                                   enum clopt_chart_format format, bool alone, const char *name,
                                   struct clopt_text *output, struct clopt_error *error);

/* Appends a drawn SVG as a part of a page. */
void clopt_chart_append_svg(struct clopt_text *page, const char *svg, const char *name,
                            const char *title);

/* Append a character, and a text, that nothing in a page can mistake for its own; a text may also
 * be the value of an attribute. */
void clopt_html_append_char(struct clopt_text *page, char character);
void clopt_html_append(struct clopt_text *page, const char *string);
