/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the figures of a store into a folder. */
#include "report/report.h"

#include <string.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/program.h"
#include "figure/figure.h"
#include "figure/folder.h"
#include "figure/timeline.h"

static const char *const endings[] = {
    [CLOPT_FIGURE_SVG] = "svg", [CLOPT_FIGURE_PNG] = "png", [CLOPT_FIGURE_PDF] = "pdf"};
#define FORMATS (sizeof endings / sizeof *endings)

enum clopt_status clopt_figure_format_find(const char *name, enum clopt_figure_format *format,
                                           struct clopt_error *error)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(endings[i], name) == 0) {
            *format = (enum clopt_figure_format)i;
            return CLOPT_OK;
        }
    return clopt_fail(error, CLOPT_INVALID,
                      "no format of figures is called %s: there are svg, png and pdf", name);
}

struct drawing {
    const struct clopt_report_figures *request;
    enum clopt_figure_format format;
    struct clopt_report_folder folder;
};

/* Writes what was drawn into a file called after its parts. */
static enum clopt_status write_file(struct drawing *drawing, const char *const *parts, size_t count,
                                    const struct clopt_text *data, const char *title,
                                    struct clopt_error *error)
{
    struct clopt_text svg = {0};
    const struct clopt_text *file = drawing->format == CLOPT_FIGURE_SVG ? &svg : data;
    if (file == &svg)
        clopt_figure_append_svg(&svg, clopt_text_string(data), "figure", title);
    enum clopt_status status = clopt_report_folder_write(&drawing->folder, parts, count,
                                                         endings[drawing->format], file, error);
    clopt_text_fini(&svg);
    return status;
}

static enum clopt_status write_figure(struct drawing *drawing, const struct clopt_figure *figure,
                                      const char *title, struct clopt_error *error)
{
    const struct clopt_view *view = figure->view;
    const char *parts[] = {view->problem->app, view->problem->label, view->name, "samples"};
    struct clopt_text data = {0};
    enum clopt_status status =
        clopt_figure_draw(figure, drawing->request->gnuplot, drawing->format, title, &data, error);
    if (!status)
        status = write_file(drawing, parts, figure->kind == CLOPT_FIGURE_SAMPLES ? 4 : 3, &data,
                            title, error);
    clopt_text_fini(&data);
    return status;
}

static enum clopt_status draw_view(struct drawing *drawing, const struct clopt_view *view,
                                   enum clopt_figure_kind kind, struct clopt_error *error)
{
    struct clopt_text title = {0};
    struct clopt_figure figure = {0};
    clopt_view_title(&title, view);
    enum clopt_status status =
        title.failed ? clopt_fail_memory(error)
                     : clopt_figure_init(&figure, view, kind, drawing->request->top, error);
    if (!status && figure.row_count)
        status = write_figure(drawing, &figure, clopt_text_string(&title), error);
    else if (!status && kind == CLOPT_FIGURE_SPEEDUPS)
        fprintf(drawing->request->notices, "clopt: %s: no figure: no variant has a speed-up\n",
                clopt_text_string(&title));
    clopt_figure_fini(&figure);
    clopt_text_fini(&title);
    return status;
}

static enum clopt_status draw_problem(void *user, const struct clopt_views *views,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < views->count && !status; i++) {
        status = draw_view(user, &views->items[i], CLOPT_FIGURE_SPEEDUPS, error);
        if (!status)
            status = draw_view(user, &views->items[i], CLOPT_FIGURE_SAMPLES, error);
    }
    return status;
}

/* Draws what the workers did when, beside the others. */
static enum clopt_status draw_timeline(struct drawing *drawing, const struct clopt_results *results,
                                       struct clopt_error *error)
{
    static const char *const name = "timeline";
    struct clopt_text title = {0}, data = {0};
    clopt_text_printf(&title, "%s: what each worker did when", results->title);
    enum clopt_status status =
        clopt_timeline_draw(results, drawing->request->gnuplot, drawing->format,
                            clopt_text_string(&title), &data, error);
    if (!status && data.length)
        status = write_file(drawing, &name, 1, &data, clopt_text_string(&title), error);
    clopt_text_fini(&title);
    clopt_text_fini(&data);
    return status;
}

static enum clopt_status draw_all(struct drawing *drawing, const struct clopt_results *results,
                                  struct clopt_error *error)
{
    enum clopt_status status = clopt_views_visit(results, draw_problem, drawing, error);
    if (!status && drawing->folder.count == 0)
        status = clopt_fail(error, CLOPT_FAILED,
                            "there is nothing to draw: no variant has a "
                            "speed-up over the initial code");
    return status ? status : draw_timeline(drawing, results, error);
}

char *clopt_report_find_gnuplot(struct clopt_error *error)
{
    char *gnuplot = clopt_program_find("gnuplot");
    if (!gnuplot)
        clopt_fail(error, CLOPT_FAILED,
                   "there is no program gnuplot in PATH, which draws the figures: install it "
                   "(Debian's package gnuplot-nox)");
    return gnuplot;
}

enum clopt_status clopt_report_figures(struct clopt_store *store,
                                       const struct clopt_report_figures *request,
                                       struct clopt_error *error)
{
    struct drawing drawing = {.request = request,
                              .folder = {.path = request->folder, .stream = request->stream}};
    struct clopt_results *results = NULL;
    enum clopt_status status = clopt_figure_format_find(request->format, &drawing.format, error);
    if (status)
        return status;
    status = clopt_results_gather(store, &results, error);
    if (!status)
        status = clopt_folder_create(request->folder, error);
    if (!status)
        status = draw_all(&drawing, results, error);
    clopt_report_folder_fini(&drawing.folder);
    clopt_results_destroy(results);
    return status;
}
