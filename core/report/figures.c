/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the figures of a store into a folder. */
#include "report/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/program.h"
#include "report/figure.h"

#define LONGEST_PART 60 /* of a file's name */

static const char *const endings[] = {
    [CLOPT_FIGURE_SVG] = "svg", [CLOPT_FIGURE_PNG] = "png", [CLOPT_FIGURE_PDF] = "pdf"};
#define FORMATS (sizeof endings / sizeof *endings)

struct drawing {
    const struct clopt_report_figures *request;
    enum clopt_figure_format format;
    char **names; /* of the files that were written */
    size_t count;
};

/* Appends what is harmless in the name of a file, and a _ for the rest. */
static void append_part(struct clopt_text *name, const char *part)
{
    for (size_t i = 0; part[i] && i < LONGEST_PART; i++) {
        bool plain = isalnum((unsigned char)part[i]) || strchr("_.-", part[i]);
        bool follows = name->length && name->data[name->length - 1] == '_';
        if (plain && (i > 0 || part[i] != '.'))
            clopt_text_append_char(name, part[i]);
        else if (!follows)
            clopt_text_append_char(name, '_');
    }
}

static bool is_taken(const struct drawing *drawing, const char *name)
{
    for (size_t i = 0; i < drawing->count; i++)
        if (strcmp(drawing->names[i], name) == 0)
            return true;
    return false;
}

/* Names the file of a view: "lud-size_64-lud_internal.svg". For the caller to free. */
static char *name_file(const struct drawing *drawing, const struct clopt_view *view)
{
    const char *parts[] = {view->problem->app, view->problem->label, view->name};
    for (size_t number = 1;; number++) {
        struct clopt_text name = {0};
        for (size_t i = 0; i < 3; i++) {
            clopt_text_append(&name, name.length && *parts[i] ? "-" : "");
            append_part(&name, parts[i]);
        }
        if (number > 1)
            clopt_text_printf(&name, "-%zu", number);
        clopt_text_printf(&name, ".%s", endings[drawing->format]);
        char *taken = clopt_text_take(&name);
        if (!taken || !is_taken(drawing, taken))
            return taken;
        free(taken);
    }
}

/* Adds the name of a file to those that were written, whose it is then. */
static enum clopt_status keep_name(struct drawing *drawing, char *name, struct clopt_error *error)
{
    char **names = realloc(drawing->names, (drawing->count + 1) * sizeof *names);
    if (!names) {
        free(name);
        return clopt_fail_memory(error);
    }
    drawing->names = names;
    names[drawing->count++] = name;
    return CLOPT_OK;
}

static enum clopt_status write_figure(struct drawing *drawing, const struct clopt_figure *figure,
                                      const char *title, struct clopt_error *error)
{
    struct clopt_text data = {0};
    struct clopt_text svg = {0};
    char *name = name_file(drawing, figure->view);
    char *path = name ? clopt_path_join(drawing->request->folder, name) : NULL;
    enum clopt_status status = path ? clopt_figure_draw(figure, drawing->request->gnuplot,
                                                        drawing->format, title, &data, error)
                                    : clopt_fail_memory(error);
    const struct clopt_text *file = drawing->format == CLOPT_FIGURE_SVG ? &svg : &data;
    if (!status && file == &svg)
        clopt_figure_append_svg(&svg, clopt_text_string(&data), "figure", title);
    if (!status)
        status = svg.failed ? clopt_fail_memory(error)
                            : clopt_file_write_soon(path, file->data, file->length, error);
    if (!status)
        fprintf(drawing->request->stream, "%s\n", path);
    if (status)
        free(name);
    else
        status = keep_name(drawing, name, error);
    clopt_text_fini(&data);
    clopt_text_fini(&svg);
    free(path);
    return status;
}

static enum clopt_status draw_view(struct drawing *drawing, const struct clopt_view *view,
                                   struct clopt_error *error)
{
    struct clopt_text title = {0};
    struct clopt_figure figure = {0};
    clopt_view_title(&title, view);
    enum clopt_status status =
        title.failed ? clopt_fail_memory(error) : clopt_figure_init(&figure, view, error);
    if (!status && figure.row_count)
        status = write_figure(drawing, &figure, clopt_text_string(&title), error);
    else if (!status)
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
    for (size_t i = 0; i < views->count && !status; i++)
        status = draw_view(user, &views->items[i], error);
    return status;
}

static enum clopt_status draw_all(struct drawing *drawing, const struct clopt_results *results,
                                  struct clopt_error *error)
{
    enum clopt_status status = clopt_views_visit(results, draw_problem, drawing, error);
    if (!status && drawing->count == 0)
        status = clopt_fail(error, CLOPT_FAILED,
                            "there is nothing to draw: no variant has a "
                            "speed-up over the initial code");
    return status;
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
    struct drawing drawing = {.request = request, .format = FORMATS};
    struct clopt_results *results = NULL;
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(endings[i], request->format) == 0)
            drawing.format = (enum clopt_figure_format)i;
    if (drawing.format == FORMATS)
        return clopt_fail(error, CLOPT_INVALID,
                          "no format of figures is called %s: there are svg, "
                          "png and pdf",
                          request->format);
    enum clopt_status status = clopt_results_gather(store, &results, error);
    if (!status)
        status = clopt_folder_create(request->folder, error);
    if (!status)
        status = draw_all(&drawing, results, error);
    for (size_t i = 0; i < drawing.count; i++)
        free(drawing.names[i]);
    free(drawing.names);
    clopt_results_destroy(results);
    return status;
}
