/* SPDX-License-Identifier: BSD-3-Clause */
/* What an application and its devices did when, of all of its processes and queues. */
#include "commands/capture/timeline.h"

#include <math.h>

#include "text/json.h"

#define COLUMNS 48 /* characters of a row of the table */
#define SLOT    24 /* pixels of a row of the chart, */
#define TOP     80 /* above the rows, with the key */
#define BOTTOM  60
#define MOST    24 /* characters of a name beside the chart */

/* Colors that also people who are color-blind can tell apart, after Okabe and Ito. */
static const struct {
    const char *name, *of_device; /* NULL: devices do nothing of this */
    char letter;
    const char *color;
} activities[] = {
    [CLOPT_OPENS] = {"opening contexts", NULL, 'O', "#e69f00"},
    [CLOPT_BUILDS] = {"building programs", NULL, 'B', "#0072b2"},
    [CLOPT_COPIES] = {"copying", "copies", 'C', "#d55e00"},
    [CLOPT_MAPS] = {"mapping", "maps", 'M', "#cc79a7"},
    [CLOPT_LAUNCHES] = {"launching kernels", "kernels", 'K', "#009e73"},
    [CLOPT_WAITS] = {"waiting for the device", NULL, 'W', "#f0e442"},
    [CLOPT_OUTSIDE] = {"outside of these calls", NULL, 'H', "#999999"},
    [CLOPT_ACTIVITIES] = {"before OpenCL and after", NULL, '.', "#ffffff"},
};

const char *clopt_activity_name(size_t activity, bool on_device)
{
    return on_device ? activities[activity].of_device : activities[activity].name;
}

/* ---- gathering ---- */

/* Returns the next line that has something; NULL: there is none. */
static const struct clopt_record_line *next_line(const struct clopt_record *record, size_t *at)
{
    for (; *at < CLOPT_RECORD_LINES && *at < record->line_count; (*at)++)
        if (record->lines[*at].ready && record->lines[*at].part_ns)
            return &record->lines[(*at)++];
    return NULL;
}

/* Adds what a line has, whose parts are as long or shorter. */
static void fill_row(struct clopt_queue_timeline_row *row,
                     const struct clopt_queue_timeline *timeline)
{
    const struct clopt_record_line *line = row->line;
    for (size_t part = 0; part < CLOPT_RECORD_PARTS; part++)
        for (size_t a = 0; a < CLOPT_ACTIVITIES; a++) {
            double at = (double)part * (double)line->part_ns / timeline->part_ns;
            row->ns[(size_t)at][a] += (double)line->ns[part][a];
        }
}

static int compare_rows(const void *a, const void *b)
{
    const struct clopt_record_line *first = ((const struct clopt_queue_timeline_row *)a)->line;
    const struct clopt_record_line *second = ((const struct clopt_queue_timeline_row *)b)->line;
    if (first->process != second->process)
        return first->process < second->process ? -1 : 1;
    return (first->queue > second->queue) - (first->queue < second->queue);
}

/* Divides what no command takes of a part among what the processes did in it: what was waited for
 * ran then, as far as anything did. */
static void add_idle(struct clopt_queue_timeline *timeline, size_t part)
{
    double did[CLOPT_ACTIVITIES + 1] = {0}, busy = 0, all = 0,
                                  begin = timeline->part_ns * (double)part;
    double whole = fmin(timeline->part_ns, timeline->run_ns - begin);
    for (size_t r = 0; r < timeline->count; r++)
        for (size_t a = 0; a < CLOPT_ACTIVITIES; a++) {
            double ns = timeline->rows[r].ns[part][a];
            bool on_device = timeline->rows[r].line->queue;
            busy += on_device ? ns : 0;
            did[a] += on_device ? 0 : ns;
            all += on_device ? 0 : ns;
        }
    did[CLOPT_ACTIVITIES] = fmax(0, whole - all);
    for (size_t a = 0; a <= CLOPT_ACTIVITIES; a++)
        did[a] *= all > whole ? whole / all : 1;
    busy = fmin(busy, whole);
    double waited = fmin(busy, did[CLOPT_WAITS]), rest = whole - did[CLOPT_WAITS];
    did[CLOPT_WAITS] -= waited;
    for (size_t a = 0; a <= CLOPT_ACTIVITIES; a++)
        timeline->idle_ns[a] +=
            a == CLOPT_WAITS || rest <= 0 ? did[a] : did[a] * (1 - (busy - waited) / rest);
}

void clopt_queue_timeline_init(struct clopt_queue_timeline *timeline,
                               const struct clopt_application *application)
{
    const struct clopt_record *record = application->record;
    const struct clopt_record_line *line;
    *timeline = (struct clopt_queue_timeline){.run_ns = (double)application->wall_ns, .part_ns = 1};
    timeline->rows = clopt_calloc(CLOPT_RECORD_LINES, sizeof *timeline->rows);
    for (size_t at = 0; (line = next_line(record, &at));) {
        timeline->rows[timeline->count++].line = line;
        timeline->part_ns = fmax(timeline->part_ns, (double)line->part_ns);
    }
    while (timeline->part_ns * CLOPT_RECORD_PARTS < timeline->run_ns)
        timeline->part_ns *= 2;
    timeline->parts = (size_t)ceil(timeline->run_ns / timeline->part_ns);
    qsort(timeline->rows, timeline->count, sizeof *timeline->rows, compare_rows);
    for (size_t r = 0; r < timeline->count; r++) {
        struct clopt_queue_timeline_row *row = &timeline->rows[r];
        fill_row(row, timeline);
        for (size_t part = 0; row->line->queue && part < CLOPT_RECORD_PARTS; part++)
            for (size_t a = 0; a < CLOPT_ACTIVITIES; a++)
                timeline->busy_ns[a] += row->ns[part][a];
    }
    for (size_t part = 0; part < timeline->parts; part++)
        add_idle(timeline, part);
}

void clopt_queue_timeline_fini(struct clopt_queue_timeline *timeline)
{
    free(timeline->rows);
}

/* ---- rows ---- */

static bool processes_differ(const struct clopt_queue_timeline *timeline)
{
    return timeline->rows[0].line->process != timeline->rows[timeline->count - 1].line->process;
}

/* Names a row: "host", or "queue 1", and of which process, where there are several. */
static void name_row(const struct clopt_queue_timeline *timeline, size_t r, struct clopt_text *name)
{
    const struct clopt_record_line *line = timeline->rows[r].line;
    if (line->queue)
        clopt_text_printf(name, "queue %" PRIu64, line->queue);
    else
        clopt_text_append(name, "host");
    if (processes_differ(timeline))
        clopt_text_printf(name, " of process %" PRId64, line->process);
}

/* Returns the device of a queue, where queues have several; "": there is nothing to say. */
static const char *find_device(const struct clopt_queue_timeline *timeline, size_t r)
{
    const char *device = timeline->rows[r].line->device;
    for (size_t i = 0; i < timeline->count; i++)
        if (timeline->rows[i].line->queue && strcmp(timeline->rows[i].line->device, device) != 0)
            return device;
    return "";
}

/* Adds up what a row has from a time to another, each part in proportion. */
static double sum_up(const struct clopt_queue_timeline *timeline, size_t r, double from_ns,
                     double to_ns, double sums[CLOPT_ACTIVITIES])
{
    double sum = 0, width = timeline->part_ns;
    memset(sums, 0, CLOPT_ACTIVITIES * sizeof *sums);
    for (size_t part = (size_t)(from_ns / width);
         part < timeline->parts && (double)part * width < to_ns; part++) {
        double share =
            (fmin(to_ns, (double)(part + 1) * width) - fmax(from_ns, (double)part * width)) / width;
        for (size_t a = 0; a < CLOPT_ACTIVITIES; a++) {
            sums[a] += share * timeline->rows[r].ns[part][a];
            sum += share * timeline->rows[r].ns[part][a];
        }
    }
    return sum;
}

static size_t find_most(const double sums[CLOPT_ACTIVITIES])
{
    size_t most = 0;
    for (size_t a = 1; a < CLOPT_ACTIVITIES; a++)
        most = sums[a] > sums[most] ? a : most;
    return most;
}

/* Appends a letter for each column: of what takes most of it, a small one where that is less than
 * half of it. */
static void append_letters(const struct clopt_queue_timeline *timeline, size_t r,
                           struct clopt_text *text)
{
    double width = timeline->run_ns / COLUMNS, sums[CLOPT_ACTIVITIES];
    for (size_t c = 0; c < COLUMNS; c++) {
        double sum = sum_up(timeline, r, (double)c * width, (double)(c + 1) * width, sums);
        char letter = activities[sum > 0 ? find_most(sums) : CLOPT_ACTIVITIES].letter;
        clopt_text_append_char(text,
                               sum < width / 2 && sum > 0 ? (char)(letter + 'a' - 'A') : letter);
    }
}

static void put_table(const struct clopt_queue_timeline *timeline, struct clopt_document *document)
{
    struct clopt_grid grid = {0};
    double unused[CLOPT_ACTIVITIES];
    clopt_grid_set_heading(&grid, "Timeline");
    clopt_grid_add_columns(&grid, "*Row, ?Device, =Busy %");
    double letter_s = timeline->run_ns / COLUMNS / 1e9;
    clopt_grid_add_column(&grid, "0 to %.4g s, each letter %.3g %s", timeline->run_ns / 1e9,
                          letter_s < 1 ? letter_s * 1e3 : letter_s, letter_s < 1 ? "ms" : "s");
    for (size_t r = 0; r < timeline->count; r++) {
        CLOPT_OWNED(clopt_text) name = {0}, letters = {0};
        double busy_ns = sum_up(timeline, r, 0, timeline->run_ns, unused);
        name_row(timeline, r, &name);
        append_letters(timeline, r, &letters);
        clopt_grid_add_row(&grid, "%s", clopt_text_string(&name));
        clopt_grid_put_if(&grid, *find_device(timeline, r), find_device(timeline, r));
        if (timeline->rows[r].line->queue)
            clopt_grid_put_number(&grid, 100 * busy_ns / timeline->run_ns, 1);
        else
            clopt_grid_skip(&grid, 1);
        clopt_grid_put(&grid, "%s", clopt_text_string(&letters));
    }
    clopt_document_table(document, &grid);
    clopt_document_printf(
        document, CLOPT_SENTENCE_PLAIN,
        "Of the host: O opening contexts, B building programs, C copying, M mapping, K launching "
        "kernels, W waiting for the device, H outside of these calls. Of a queue: C copies, "
        "M maps, K kernels. A letter is what takes most of its time, a small one of less than half "
        "of that; "
        "a dot is none of these.");
}

/* ---- the chart ---- */

/* Adds the boxes of an activity in a row: in each part as wide as it takes of that, those that
 * touch as one. */
static void add_boxes(const struct clopt_queue_timeline *timeline, size_t r, size_t activity,
                      double unit_ns, struct clopt_chart *chart)
{
    double begin = NAN, end = NAN, y = (double)r + 1;
    for (size_t part = 0; part <= timeline->parts; part++) {
        double at = (double)part * timeline->part_ns, ns = 0;
        for (size_t a = 0; part < timeline->parts && a < activity; a++)
            at += timeline->rows[r].ns[part][a];
        ns = part < timeline->parts ? timeline->rows[r].ns[part][activity] : 0;
        bool goes_on = ns > 0 && at <= end + timeline->part_ns * 1e-3;
        if (!goes_on && !isnan(begin))
            clopt_chart_point(chart, (struct clopt_point){begin / unit_ns, y, begin / unit_ns,
                                                          end / unit_ns, y - 0.4, y + 0.4});
        begin = goes_on ? begin : ns > 0 ? at : NAN;
        end = ns > 0 ? at + ns : NAN;
    }
}

static bool is_done(const struct clopt_queue_timeline *timeline, size_t activity)
{
    double sums[CLOPT_ACTIVITIES], sum = 0;
    for (size_t r = 0; r < timeline->count; r++) {
        sum_up(timeline, r, 0, timeline->run_ns, sums);
        sum += sums[activity];
    }
    return sum > 0;
}

static void put_chart(const struct clopt_queue_timeline *timeline, struct clopt_document *document)
{
    struct clopt_chart chart;
    const char *unit;
    double unit_s = clopt_chart_span(timeline->run_ns / 1e9, &unit);
    clopt_chart_begin(&chart, TOP + SLOT * (double)timeline->count + BOTTOM, "timeline", NULL);
    clopt_chart_title(&chart, "What the application and its devices did when");
    chart.top = TOP;
    chart.bottom = BOTTOM;
    chart.right = 3;
    clopt_chart_axis(&chart, CLOPT_X, 0, timeline->run_ns / 1e9 / unit_s,
                     "%s since the application was started", unit);
    clopt_chart_axis(&chart, CLOPT_Y, (double)timeline->count + 0.5, 0.5, NULL);
    for (size_t r = 0; r < timeline->count; r++) {
        CLOPT_OWNED(clopt_text) name = {0};
        name_row(timeline, r, &name);
        clopt_text_printf(&name, "%s%s", *find_device(timeline, r) ? ": " : "",
                          find_device(timeline, r));
        clopt_chart_tic(&chart, CLOPT_Y, (double)r + 1, "%s", clopt_text_string(&name));
        chart.margin = (size_t)fmax((double)chart.margin, fmin((double)name.length, MOST) + 1);
    }
    for (size_t a = 0; a < CLOPT_ACTIVITIES; a++) {
        if (!is_done(timeline, a))
            continue;
        clopt_chart_series(&chart, CLOPT_SERIES_BOXES, activities[a].color, activities[a].name);
        for (size_t r = 0; r < timeline->count; r++)
            add_boxes(timeline, r, a, unit_s * 1e9, &chart);
    }
    clopt_document_chart(document, &chart);
}

void clopt_queue_timeline_show(const struct clopt_queue_timeline *timeline,
                               struct clopt_document *document)
{
    if (!timeline->count || !timeline->parts)
        return;
    put_table(timeline, document);
    put_chart(timeline, document);
}

/* ---- for programs ---- */

static json_t *list_parts(const struct clopt_queue_timeline *timeline, size_t r, size_t activity)
{
    json_t *list = json_array();
    for (size_t part = 0; part < timeline->parts; part++)
        json_array_append_new(list, json_integer((json_int_t)timeline->rows[r].ns[part][activity]));
    return list;
}

void clopt_queue_timeline_data(const struct clopt_queue_timeline *timeline,
                               struct clopt_document *document)
{
    json_t *rows = json_array(), *idle = json_object();
    for (size_t r = 0; r < timeline->count; r++) {
        const struct clopt_record_line *line = timeline->rows[r].line;
        json_t *parts = json_object();
        for (size_t a = 0; a < CLOPT_ACTIVITIES; a++)
            if (clopt_activity_name(a, line->queue))
                json_object_set_new(parts, clopt_activity_name(a, line->queue),
                                    list_parts(timeline, r, a));
        json_t *row = json_pack("{s:I, s:I, s:o, s:o}", "process", (json_int_t)line->process,
                                "queue", (json_int_t)line->queue, "device",
                                clopt_json_text(line->device), "ns", parts);
        json_array_append_new(rows, row);
    }
    for (size_t a = 0; a <= CLOPT_ACTIVITIES; a++)
        json_object_set_new(idle, clopt_activity_name(a, false),
                            json_integer((json_int_t)timeline->idle_ns[a]));
    clopt_document_data(document, "devices_idle_by_activity_ns", idle);
    clopt_document_data(
        document, "timeline",
        json_pack("{s:I, s:o}", "part_ns", (json_int_t)timeline->part_ns, "rows", rows));
}
