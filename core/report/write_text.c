/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a report for a terminal. */
#include <string.h>

#include "base/wrap.h"
#include "report/report_table.h"
#include "report/writer.h"

#define BOLD   "\033[1m"
#define YELLOW "\033[33m"
#define NORMAL "\033[0m"

/* What was written last. */
enum last { NOTHING, SENTENCES, OTHER };

/* Separates parts by an empty line; sentences follow each other without one. */
static void begin_part(struct clopt_writer *writer, enum last part)
{
    if (writer->last != NOTHING && !(part == SENTENCES && writer->last == SENTENCES))
        putc('\n', writer->stream);
    writer->last = (int)part;
}

static void write_heading(struct clopt_writer *writer, enum clopt_heading level, const char *text)
{
    (void)level;
    begin_part(writer, OTHER);
    fprintf(writer->stream, "%s%s%s\n", writer->color ? BOLD : "", text,
            writer->color ? NORMAL : "");
}

static void write_sentence(struct clopt_writer *writer, enum clopt_sentence kind, const char *text)
{
    struct clopt_text line = {0};
    bool warning = kind == CLOPT_SENTENCE_WARNING && writer->color;
    size_t column = kind == CLOPT_SENTENCE_DETAIL ? 6 : writer->last == NOTHING ? 0 : 2;
    begin_part(writer, SENTENCES);
    clopt_text_append(&line, warning ? YELLOW : "");
    for (; *text; text++)
        if (*text != *CLOPT_STRONG && *text != *CLOPT_WEAK)
            clopt_text_append_char(&line, *text);
        else if (writer->color)
            clopt_text_append(&line, *text == *CLOPT_STRONG ? BOLD : NORMAL);
    clopt_text_append(&line, warning ? NORMAL : "");
    fprintf(writer->stream, "%*s", (int)column, "");
    clopt_wrap_print(writer->stream, column, 6 + (kind == CLOPT_SENTENCE_DETAIL ? 2 : 0),
                     clopt_text_string(&line));
    writer->text.failed |= line.failed;
    clopt_text_fini(&line);
}

static enum clopt_status write_table(struct clopt_writer *writer, struct clopt_grid *grid,
                                     struct clopt_error *error)
{
    begin_part(writer, OTHER);
    return clopt_grid_print(grid, writer->color, writer->stream, error);
}

static void write_notes(struct clopt_writer *writer, const struct clopt_footnotes *notes,
                        const char *title)
{
    write_heading(writer, CLOPT_HEADING_KERNEL, title);
    begin_part(writer, OTHER);
    for (size_t i = 0; i < notes->count; i++) {
        char mark[32];
        int width = snprintf(mark, sizeof mark, "  [%zu] ", i + 1);
        fputs(mark, writer->stream);
        clopt_wrap_print(writer->stream, (size_t)width, (unsigned)width, notes->texts[i]);
    }
}

const struct clopt_writer_operations clopt_text_writer = {
    .heading = write_heading,
    .sentence = write_sentence,
    .table = write_table,
    .notes = write_notes,
};
