/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a document for a terminal: as wide as that at most, as long as names allow. */
#include "formats/formats.h"
#include "text/table.h"

#define INDENT         2
#define GAP            2  /* between columns */
#define NARROWEST_NAME 24 /* names are not broken to less */

#define BOLD   "\033[1m"
#define YELLOW "\033[33m"
#define FAINT  "\033[2m"
#define NORMAL "\033[0m"

static size_t width_of(const struct clopt_writing *writing)
{
    return writing->width ? writing->width : CLOPT_LINE_WIDTH;
}

/* A table that is being printed. */
struct printing {
    const struct clopt_grid *grid;
    size_t *widths;     /* of the columns, as far as they are not broken */
    size_t most;        /* characters of a name on a line */
    const char **rests; /* of the names of a row, by column */
    bool color;
    size_t room; /* columns of a line */
    FILE *stream;
};

/* ---- widths ---- */

/* Sets how much of a name there is on a line: what leaves room for all columns side by side, or
 * else for the widest one. */
static void measure(struct printing *printing)
{
    const struct clopt_grid *grid = printing->grid;
    size_t keys = 0, sum = 0, widest = 0, name = 0;
    for (size_t c = 0; c < grid->column_count; c++) {
        size_t width = printing->widths[c] = clopt_grid_width(grid, c);
        if (grid->columns[c].kind == CLOPT_COLUMN_NAME && width > name)
            name = width;
        *(grid->columns[c].key ? &keys : &sum) += GAP + width;
        if (!grid->columns[c].key && GAP + width > widest)
            widest = GAP + width;
    }
    size_t taken = keys + sum - name; /* of which the first gap is the indentation */
    if (taken + NARROWEST_NAME > printing->room)
        taken = keys + widest - name;
    printing->most =
        taken + NARROWEST_NAME < printing->room ? printing->room - taken : NARROWEST_NAME;
    for (size_t c = 0; c < grid->column_count; c++) {
        size_t part = strlen(grid->columns[c].label);
        if (grid->columns[c].kind != CLOPT_COLUMN_NAME)
            continue;
        for (size_t i = 0; i < grid->row_count; i++) {
            const char *text = clopt_grid_cell(grid, i, c)->text;
            size_t own = text ? clopt_name_part(text, printing->most) : 0;
            part = own > part ? own : part;
        }
        printing->widths[c] = part < printing->widths[c] ? part : printing->widths[c];
    }
}

/* ---- rows ---- */

/* Adds the next part of a name; later ones are indented. Returns whether there is more of it. */
static bool add_name(struct printing *printing, struct clopt_table *table, size_t column, bool more)
{
    const char **rest = &printing->rests[column];
    *rest += more ? strspn(*rest, " ") : 0;
    size_t part = clopt_name_part(*rest, printing->most - (more ? 2 : 0));
    size_t shown = part && (*rest)[part - 1] == ' ' ? part - 1 : part;
    clopt_table_cell(table, "%s%.*s", more && part ? "  " : "", (int)shown, *rest);
    *rest += part;
    return **rest != '\0';
}

static void add_value(const struct printing *printing, struct clopt_table *table,
                      const struct clopt_cell *cell, size_t column)
{
    const char *before = !printing->color ? "" : cell->best ? BOLD : cell->equal ? FAINT : "";
    const char *after = *before ? NORMAL : "";
    const char *comment = cell->comment ? cell->comment : "";
    clopt_table_coloured_cell(table, "%s%s%s%*s", before, cell->text ? cell->text : "", after,
                              (int)clopt_grid_blanks(printing->grid, cell, column), "");
    clopt_table_coloured_cell(table, "%s%s%s%s%s", before, comment,
                              *comment && *cell->marks ? " " : "", cell->marks, after);
}

/* Adds a line of a row, the first one or one with `more` of its names; returns whether there is
 * another one. */
static bool add_line(struct printing *printing, struct clopt_table *table, size_t row, size_t first,
                     size_t end, bool more)
{
    const struct clopt_grid *grid = printing->grid;
    static const struct clopt_cell nothing = {.text = NULL};
    bool another = false;
    for (size_t c = 0; c < grid->column_count; c++) {
        const struct clopt_cell *cell = more ? &nothing : clopt_grid_cell(grid, row, c);
        if (!clopt_grid_in_block(grid, c, first, end))
            continue;
        if (grid->columns[c].kind == CLOPT_COLUMN_NAME)
            another |= add_name(printing, table, c, more);
        else if (grid->columns[c].kind == CLOPT_COLUMN_COUNT)
            clopt_table_cell(table, "%s", cell->text ? cell->text : "");
        else
            add_value(printing, table, cell, c);
    }
    clopt_table_end_row(table);
    return another;
}

/* Whether a row has something to show in a block. */
static bool is_shown(const struct clopt_grid *grid, size_t row, size_t first, size_t end)
{
    for (size_t c = first; c < end; c++)
        if (clopt_grid_cell(grid, row, c)->text && !grid->columns[c].key)
            return true;
    return false;
}

static void add_row(struct printing *printing, struct clopt_table *table, size_t row, size_t first,
                    size_t end)
{
    const struct clopt_grid *grid = printing->grid;
    bool more = false;
    for (size_t c = 0; c < grid->column_count; c++) {
        const char *text = clopt_grid_cell(grid, row, c)->text;
        printing->rests[c] = text ? text : "";
    }
    while (add_line(printing, table, row, first, end, more))
        more = true;
}

/* ---- blocks ---- */

static struct clopt_table *create_table(const struct clopt_grid *grid, size_t first, size_t end)
{
    static const char *const letters[] = {
        [CLOPT_COLUMN_NAME] = "l", [CLOPT_COLUMN_COUNT] = "r", [CLOPT_COLUMN_VALUE] = "rl"};
    CLOPT_OWNED(clopt_text) alignment = {0};
    for (size_t c = 0; c < grid->column_count; c++)
        if (clopt_grid_in_block(grid, c, first, end))
            clopt_text_append(&alignment, letters[grid->columns[c].kind]);
    return clopt_table_create(clopt_text_string(&alignment));
}

/* Prints the columns `first` to `end` (excluded), and those that say what rows are about. */
static enum clopt_status print_block(struct printing *printing, size_t first, size_t end,
                                     struct clopt_error *error)
{
    const struct clopt_grid *grid = printing->grid;
    CLOPT_HELD(clopt_table) table = create_table(grid, first, end);
    for (size_t c = 0; c < grid->column_count; c++) {
        if (!clopt_grid_in_block(grid, c, first, end))
            continue;
        clopt_table_cell(table, "%s", grid->columns[c].label);
        if (grid->columns[c].kind == CLOPT_COLUMN_VALUE)
            clopt_table_cell(table, "%s", "");
    }
    clopt_table_end_row(table);
    clopt_table_rule(table);
    for (size_t i = 0; i < grid->row_count; i++)
        if (is_shown(grid, i, first, end))
            add_row(printing, table, i, first, end);
    return clopt_table_print(table, printing->stream, INDENT, error);
}

static enum clopt_status print_table(const struct clopt_grid *grid,
                                     const struct clopt_writing *writing, size_t room,
                                     struct clopt_error *error)
{
    CLOPT_FREED size_t *widths = clopt_calloc(grid->column_count, sizeof *widths);
    CLOPT_FREED const char **rests = clopt_calloc(grid->column_count, sizeof *rests);
    struct printing printing = {.grid = grid,
                                .widths = widths,
                                .rests = rests,
                                .color = writing->color,
                                .room = room,
                                .stream = writing->stream};
    measure(&printing);
    if (grid->heading) {
        fprintf(writing->stream, "%*s", INDENT, "");
        clopt_wrap_print_within(writing->stream, room, INDENT, 2 * INDENT, grid->heading);
        putc('\n', writing->stream);
    }
    for (size_t first = clopt_grid_first(grid), end; first < grid->column_count; first = end) {
        end = clopt_grid_block_end(grid, widths, first, room);
        CLOPT_TRY(print_block(&printing, first, end, error));
        if (end < grid->column_count)
            putc('\n', writing->stream);
    }
    if (grid->left_out)
        fprintf(writing->stream, "\n  Variants left out (--top): %zu\n", grid->left_out);
    return CLOPT_OK;
}

/* ---- blocks ---- */

/* Separates parts by an empty line; sentences follow each other without one. */
static void begin_part(struct clopt_page *page, enum clopt_part part)
{
    if (page->last && !(part == CLOPT_PART_SENTENCES && page->last == part))
        putc('\n', page->writing->stream);
    page->last = part;
}

static void write_heading(struct clopt_page *page, const struct clopt_block *block)
{
    bool color = page->writing->color;
    begin_part(page, CLOPT_PART_OTHER);
    fputs(color ? BOLD : "", page->writing->stream);
    clopt_wrap_print_within(page->writing->stream, width_of(page->writing), 0, 4, block->text);
    fputs(color ? NORMAL : "", page->writing->stream);
}

static void write_sentence(struct clopt_page *page, const struct clopt_block *block)
{
    CLOPT_OWNED(clopt_text) line = {0};
    FILE *stream = page->writing->stream;
    bool color = page->writing->color, detail = block->sentence == CLOPT_SENTENCE_DETAIL;
    bool warning = block->sentence == CLOPT_SENTENCE_WARNING && color;
    size_t column = detail ? 6 : page->last ? 2 : 0;
    begin_part(page, CLOPT_PART_SENTENCES);
    clopt_text_append(&line, warning ? YELLOW : "");
    for (const char *text = block->text; *text; text++)
        if (*text != *CLOPT_STRONG && *text != *CLOPT_WEAK)
            clopt_text_append_char(&line, *text);
        else if (color)
            clopt_text_append(&line, *text == *CLOPT_STRONG ? BOLD : NORMAL);
    clopt_text_append(&line, warning ? NORMAL : "");
    fprintf(stream, "%*s", (int)column, "");
    clopt_wrap_print_within(stream, width_of(page->writing), column, detail ? 8 : 6,
                            clopt_text_string(&line));
}

static void write_table(struct clopt_page *page, const struct clopt_block *block)
{
    begin_part(page, CLOPT_PART_OTHER);
    page->status = print_table(&block->grid, page->writing, width_of(page->writing), page->error);
}

static void write_notes(struct clopt_page *page, const struct clopt_block *block)
{
    FILE *stream = page->writing->stream;
    write_heading(page, block);
    begin_part(page, CLOPT_PART_OTHER);
    for (size_t i = 0; i < block->notes.count; i++) {
        int width = fprintf(stream, "  [%zu] ", i + 1);
        clopt_wrap_print_within(stream, width_of(page->writing), (size_t)width, (unsigned)width,
                                block->notes.texts[i]);
    }
}

static void write_command(struct clopt_page *page, const struct clopt_block *block)
{
    begin_part(page, CLOPT_PART_SENTENCES);
    clopt_text_print(page->writing->stream, "    %s\n", block->code);
}

static void write_code(struct clopt_page *page, const struct clopt_block *block)
{
    size_t length = strlen(block->code);
    begin_part(page, CLOPT_PART_OTHER);
    clopt_text_print(page->writing->stream, "%s%s", block->code,
                     length && block->code[length - 1] == '\n' ? "" : "\n");
}

/* A terminal shows no charts and folds nothing. */
enum clopt_status clopt_write_text(const struct clopt_document *document,
                                   const struct clopt_writing *writing, struct clopt_error *error)
{
    const struct clopt_markup markup = {.leaves_out = writing->answer  ? CLOPT_NOT_ANSWER
                                                      : writing->brief ? CLOPT_NOT_BRIEF
                                                                       : CLOPT_NOT_FULL,
                                        .blocks = {[CLOPT_BLOCK_HEADING] = write_heading,
                                                   [CLOPT_BLOCK_SENTENCE] = write_sentence,
                                                   [CLOPT_BLOCK_TABLE] = write_table,
                                                   [CLOPT_BLOCK_NOTES] = write_notes,
                                                   [CLOPT_BLOCK_COMMAND] = write_command,
                                                   [CLOPT_BLOCK_CODE] = write_code}};
    return clopt_document_mark(document, &markup, writing, error);
}
