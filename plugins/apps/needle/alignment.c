/* SPDX-License-Identifier: BSD-3-Clause */
/* Traces alignments back, and writes them side by side. */
#include "alignment.h"

#define LINE_LETTERS 50

/* Where a trace is: so many letters of either sequence lie before it. */
struct cell {
    size_t rows;
    size_t columns;
    int32_t score; /* of the best alignment of those letters */
};

/* Makes one step back. `north` is the row of the matrix above the cell, NULL above the first. */
static enum needle_step step_back(const struct needle_sequences *sequences, const int32_t *north,
                                  struct cell *cell)
{
    const struct needle_scores *scores = &sequences->scores;
    int32_t gap = scores->gap;
    if (cell->rows > 0 && cell->columns > 0) {
        size_t x = cell->columns - 1;
        int32_t corner = x == 0   ? (int32_t)(cell->rows - 1) * gap
                         : !north ? (int32_t)x * gap
                                  : north[x - 1];
        size_t letter = sequences->first.letters[cell->rows - 1];
        if (cell->score ==
            corner + scores->table[letter * NEEDLE_LETTERS + sequences->second.letters[x]]) {
            *cell = (struct cell){cell->rows - 1, x, corner};
            return NEEDLE_BOTH;
        }
    }
    bool up = cell->columns == 0;
    if (cell->rows > 0 && cell->columns > 0) {
        int32_t above = north ? north[cell->columns - 1] : (int32_t)cell->columns * gap;
        up = cell->score == above + gap;
    }
    cell->rows -= up;
    cell->columns -= !up;
    cell->score -= gap;
    return up ? NEEDLE_FIRST_ONLY : NEEDLE_SECOND_ONLY;
}

bool needle_alignment_trace(const struct needle_sequences *sequences, needle_row row, void *user,
                            struct needle_alignment *alignment)
{
    struct cell cell = {sequences->first.length, sequences->second.length, 0};
    const int32_t *last = row(user, cell.rows - 1);
    *alignment = (struct needle_alignment){.steps = clopt_calloc(cell.rows + cell.columns, 1)};
    if (!last)
        return false;
    alignment->score = cell.score = last[cell.columns - 1];
    const int32_t *north = NULL;
    size_t north_of = 0; /* the number of rows for which `north` is right; 0: none yet */
    while (cell.rows + cell.columns > 0) {
        if (cell.rows > 1 && north_of != cell.rows && !(north = row(user, cell.rows - 2)))
            return false;
        north_of = cell.rows;
        alignment->steps[alignment->length++] =
            (uint8_t)step_back(sequences, cell.rows > 1 ? north : NULL, &cell);
    }
    for (size_t i = 0; i < alignment->length / 2; i++) {
        uint8_t step = alignment->steps[i];
        alignment->steps[i] = alignment->steps[alignment->length - 1 - i];
        alignment->steps[alignment->length - 1 - i] = step;
    }
    return true;
}

void needle_alignment_free(struct needle_alignment *alignment)
{
    free(alignment->steps);
    *alignment = (struct needle_alignment){.steps = NULL};
}

/* Where in an alignment its writer is, and what it has counted. */
struct writer {
    const struct needle_sequences *sequences;
    const struct needle_alignment *alignment;
    size_t rows;
    size_t columns;
    size_t identical;
    size_t similar; /* and identical */
    size_t gaps;
};

/* Appends a column of the alignment to three lines of text. */
static void write_column(struct writer *writer, enum needle_step step, char *first, char *mark,
                         char *second)
{
    const struct needle_sequences *sequences = writer->sequences;
    *first = *second = '-';
    *mark = ' ';
    uint8_t a = 0;
    uint8_t b = 0;
    if (step != NEEDLE_SECOND_ONLY) {
        a = sequences->first.letters[writer->rows++];
        *first = needle_letter(a);
    }
    if (step != NEEDLE_FIRST_ONLY) {
        b = sequences->second.letters[writer->columns++];
        *second = needle_letter(b);
    }
    if (step != NEEDLE_BOTH) {
        writer->gaps++;
        return;
    }
    bool positive = sequences->scores.table[a * NEEDLE_LETTERS + b] > 0;
    *mark = a == b ? '|' : positive ? ':' : '.';
    writer->identical += a == b;
    writer->similar += a == b || positive;
}

/* Writes one block of lines; with no stream, it only counts. */
static void write_block(struct writer *writer, size_t from, size_t count, FILE *stream)
{
    char first[LINE_LETTERS + 1] = "";
    char mark[LINE_LETTERS + 1] = "";
    char second[LINE_LETTERS + 1] = "";
    size_t rows = writer->rows;
    size_t columns = writer->columns;
    for (size_t i = 0; i < count; i++)
        write_column(writer, writer->alignment->steps[from + i], &first[i], &mark[i], &second[i]);
    if (!stream)
        return;
    /* The numbers are those of the first and the last letter in a line. */
    fprintf(stream, "%-13.13s %6zu %s %6zu\n", writer->sequences->first.name,
            rows + (writer->rows > rows), first, writer->rows);
    fprintf(stream, "%-20s %s\n", "", mark);
    fprintf(stream, "%-13.13s %6zu %s %6zu\n\n", writer->sequences->second.name,
            columns + (writer->columns > columns), second, writer->columns);
}

static struct writer write_blocks(const struct needle_sequences *sequences,
                                  const struct needle_alignment *alignment, FILE *stream)
{
    struct writer writer = {.sequences = sequences, .alignment = alignment};
    for (size_t from = 0; from < alignment->length; from += LINE_LETTERS) {
        size_t left = alignment->length - from;
        write_block(&writer, from, left < LINE_LETTERS ? left : LINE_LETTERS, stream);
    }
    return writer;
}

static void write_part(FILE *stream, const char *name, size_t part, size_t whole)
{
    fprintf(stream, "# %-14s %zu/%zu (%.1f%%)\n", name, part, whole,
            100 * (double)part / (double)whole);
}

void needle_alignment_write(const struct needle_sequences *sequences,
                            const struct needle_alignment *alignment, FILE *stream)
{
    static const char rule[] = "#=======================================";
    const struct needle_scores *scores = &sequences->scores;
    struct writer counted = write_blocks(sequences, alignment, NULL);
    fprintf(stream,
            "########################################\n# Program: needle\n# Align_format: pair\n"
            "########################################\n\n%s\n#\n# Aligned_sequences: 2\n"
            "# 1: %s\n# 2: %s\n",
            rule, sequences->first.name, sequences->second.name);
    if (scores->blosum62)
        fprintf(stream, "# Matrix: EBLOSUM62\n");
    else
        fprintf(stream, "# Matrix: match %d, mismatch %d\n", (int)scores->match,
                (int)scores->mismatch);
    fprintf(stream, "# Gap_penalty: %d\n# Extend_penalty: %d\n#\n# Length: %zu\n",
            -(int)scores->gap, -(int)scores->gap, alignment->length);
    write_part(stream, "Identity:", counted.identical, alignment->length);
    write_part(stream, "Similarity:", counted.similar, alignment->length);
    write_part(stream, "Gaps:", counted.gaps, alignment->length);
    fprintf(stream, "# Score: %d\n#\n#\n%s\n\n", (int)alignment->score, rule);
    write_blocks(sequences, alignment, stream);
}

/* ---- checking: the textbook's recurrence (Needleman, Wunsch, J. Mol. Biol. 48, 1970) ---- */

void needle_check_init(struct needle_check *check, const struct needle_sequences *sequences)
{
    size_t columns = sequences->second.length;
    *check = (struct needle_check){.sequences = sequences};
    check->above = clopt_calloc(columns, sizeof *check->above);
    for (size_t x = 0; x < columns; x++)
        check->above[x] = (int32_t)(x + 1) * sequences->scores.gap;
}

void needle_check_fini(struct needle_check *check)
{
    free(check->above);
    *check = (struct needle_check){.above = NULL};
}

/* Adds as the device does: wrong cells may be any numbers. */
static int32_t add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

/* Returns the cell that follows from its neighbours in row `y` and in the one above. */
static int32_t follow(const struct needle_sequences *sequences, const int32_t *above,
                      const int32_t *row, size_t y, size_t x)
{
    const int32_t *scores = sequences->scores.table;
    int32_t gap = sequences->scores.gap;
    int32_t west = x > 0 ? row[x - 1] : (int32_t)(y + 1) * gap;
    int32_t north_west = x > 0 ? above[x - 1] : (int32_t)y * gap;
    int32_t letters = NEEDLE_LETTERS * sequences->first.letters[y] + sequences->second.letters[x];
    int32_t cell = add(north_west, scores[letters]);
    int32_t down = add(above[x], gap);
    int32_t right = add(west, gap);
    cell = cell < down ? down : cell;
    return cell < right ? right : cell;
}

void needle_check_rows(struct needle_check *check, const int32_t *rows, size_t stride, size_t count)
{
    const struct needle_sequences *sequences = check->sequences;
    size_t columns = sequences->second.length;
    size_t different = 0, first = SIZE_MAX;
#pragma omp parallel for reduction(+ : different) reduction(min : first)
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = rows + i * stride;
        const int32_t *above = i > 0 ? row - stride : check->above;
        for (size_t x = 0; x < columns; x++) {
            if (row[x] == follow(sequences, above, row, check->rows + i, x))
                continue;
            different++;
            first = i * columns + x < first ? i * columns + x : first;
        }
    }
    if (different && !check->different) {
        size_t i = first / columns, x = first % columns;
        const int32_t *row = rows + i * stride;
        check->first_row = check->rows + i;
        check->first_column = x;
        check->actual = row[x];
        check->expected =
            follow(sequences, i > 0 ? row - stride : check->above, row, check->first_row, x);
    }
    check->different += different;
    check->rows += count;
    memcpy(check->above, rows + (count - 1) * stride, columns * sizeof *check->above);
}
