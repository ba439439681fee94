/* SPDX-License-Identifier: BSD-3-Clause */
/* The Matrix Market exchange formats, line by line. */
#include "matrix_market.h"

#include <errno.h>
#include <math.h>
#include <strings.h>

#include <clopt/file.h>

#define LINE_SIZE 1026 /* the format allows 1024 characters; a newline and a NUL */
#define BLANKS    " \t\r\n"

/* Fails with a message after the file's name and the line. */
#define FAIL_AT_LINE(matrix, error, ...)                                                           \
    (clopt_fail(error, CLOPT_INVALID, __VA_ARGS__),                                                \
     clopt_fail_within(error, "%s:%" PRIu64, (matrix)->name, (matrix)->line))

/* Reads a line that is not blank. `found` is false at the end of the file. */
static enum clopt_status read_line(struct matrix_market *matrix, char line[LINE_SIZE], bool *found,
                                   struct clopt_error *error)
{
    *found = false;
    while (!*found) {
        errno = 0;
        if (!fgets(line, LINE_SIZE, matrix->stream)) {
            if (ferror(matrix->stream))
                return clopt_fail(error, CLOPT_FAILED, "%s: cannot be read: %s", matrix->name,
                                  strerror(errno));
            return CLOPT_OK;
        }
        matrix->line++;
        /* A line without an end is the last one, or too long, or cut by a NUL. */
        if (!strchr(line, '\n') && !feof(matrix->stream))
            return FAIL_AT_LINE(matrix, error,
                                "the line is longer than 1024 characters, or holds a NUL");
        *found = line[strspn(line, BLANKS)] != '\0';
    }
    return CLOPT_OK;
}

static bool word_is(const char *word, const char *expected)
{
    return word && strcasecmp(word, expected) == 0;
}

static enum clopt_status parse_symmetry(struct matrix_market *matrix, const char *word,
                                        struct clopt_error *error)
{
    if (word_is(word, "general"))
        matrix->symmetry = MATRIX_GENERAL;
    else if (word_is(word, "symmetric"))
        matrix->symmetry = MATRIX_SYMMETRIC;
    else if (word_is(word, "skew-symmetric"))
        matrix->symmetry = MATRIX_SKEW_SYMMETRIC;
    else
        return FAIL_AT_LINE(matrix, error,
                            "symmetry is %s, must be general, symmetric or skew-symmetric",
                            word ? word : "missing");
    if (matrix->pattern && matrix->symmetry == MATRIX_SKEW_SYMMETRIC)
        return FAIL_AT_LINE(matrix, error, "a pattern cannot be skew-symmetric");
    return CLOPT_OK;
}

/* Parses `%%MatrixMarket matrix coordinate real general`. */
static enum clopt_status parse_banner(struct matrix_market *matrix, char *line,
                                      struct clopt_error *error)
{
    char *rest = NULL;
    if (!word_is(strtok_r(line, BLANKS, &rest), "%%MatrixMarket"))
        return FAIL_AT_LINE(matrix, error,
                            "is not a Matrix Market file: it does not begin with "
                            "%%%%MatrixMarket");
    const char *object = strtok_r(NULL, BLANKS, &rest);
    if (!word_is(object, "matrix"))
        return FAIL_AT_LINE(matrix, error, "object is %s, must be matrix",
                            object ? object : "missing");
    const char *format = strtok_r(NULL, BLANKS, &rest);
    matrix->array = word_is(format, "array");
    if (!matrix->array && !word_is(format, "coordinate"))
        return FAIL_AT_LINE(matrix, error, "format is %s, must be coordinate or array",
                            format ? format : "missing");
    const char *field = strtok_r(NULL, BLANKS, &rest);
    matrix->integer = word_is(field, "integer");
    matrix->pattern = word_is(field, "pattern");
    if (!matrix->integer && !matrix->pattern && !word_is(field, "real") &&
        !word_is(field, "double"))
        return FAIL_AT_LINE(matrix, error, "field is %s, must be real, integer or pattern",
                            field ? field : "missing");
    if (matrix->array && matrix->pattern)
        return FAIL_AT_LINE(matrix, error, "a pattern must be in coordinate format");
    return parse_symmetry(matrix, strtok_r(NULL, BLANKS, &rest), error);
}

/* Parses an unsigned number that fits into 63 bits and moves `text` past it. */
static bool parse_count(char **text, uint64_t *count)
{
    char *start = *text + strspn(*text, BLANKS);
    if (*start < '0' || *start > '9')
        return false;
    *count = strtoull(start, text, 10); /* the largest number where it overflows */
    return *count <= INT64_MAX;
}

static bool at_end(const char *text)
{
    return text[strspn(text, BLANKS)] == '\0';
}

/* How many entries a dense file of this shape and symmetry has: the most that any file has. */
static uint64_t count_elements(const struct matrix_market *matrix)
{
    uint64_t n = matrix->rows;
    switch (matrix->symmetry) {
    case MATRIX_SYMMETRIC:
        return n * (n + 1) / 2;
    case MATRIX_SKEW_SYMMETRIC:
        return n * (n - 1) / 2;
    default:
        return n * matrix->columns;
    }
}

static enum clopt_status parse_sizes(struct matrix_market *matrix, char *line, uint64_t most,
                                     struct clopt_error *error)
{
    if (!parse_count(&line, &matrix->rows) || !parse_count(&line, &matrix->columns) ||
        (!matrix->array && !parse_count(&line, &matrix->entries)) || !at_end(line))
        return FAIL_AT_LINE(matrix, error, "sizes must be %s",
                            matrix->array ? "rows and columns" : "rows, columns and entries");
    if (matrix->rows == 0 || matrix->columns == 0)
        return FAIL_AT_LINE(matrix, error, "the matrix is empty");
    if (matrix->rows > most || matrix->columns > most)
        return FAIL_AT_LINE(matrix, error,
                            "the matrix has %" PRIu64 " rows and %" PRIu64
                            " columns, at most %" PRIu64 " are possible",
                            matrix->rows, matrix->columns, most);
    if (matrix->symmetry != MATRIX_GENERAL && matrix->rows != matrix->columns)
        return FAIL_AT_LINE(matrix, error,
                            "a symmetric matrix is square, this one has %" PRIu64
                            " rows and %" PRIu64 " columns",
                            matrix->rows, matrix->columns);
    uint64_t elements = count_elements(matrix);
    uint64_t least = matrix->array ? 2 : matrix->pattern ? 4 : 6; /* bytes of an entry: "1 1 1\n" */
    if (matrix->array)
        matrix->entries = elements;
    else if (matrix->entries > elements)
        return FAIL_AT_LINE(matrix, error,
                            "%" PRIu64 " entries are too many: the matrix has room for %" PRIu64,
                            matrix->entries, elements);
    uint64_t rest = clopt_file_rest(matrix->stream);
    if (rest != UINT64_MAX && matrix->entries > rest / least + 1)
        return FAIL_AT_LINE(matrix, error,
                            "the file is too short for %" PRIu64 " entries: truncated?",
                            matrix->entries);
    return CLOPT_OK;
}

enum clopt_status matrix_market_begin(struct matrix_market *matrix, FILE *stream, const char *name,
                                      uint64_t most, struct clopt_error *error)
{
    *matrix = (struct matrix_market){.stream = stream, .name = name};
    char line[LINE_SIZE];
    bool found;
    CLOPT_TRY(read_line(matrix, line, &found, error));
    if (!found)
        return clopt_fail(error, CLOPT_INVALID, "%s: is empty", name);
    CLOPT_TRY(parse_banner(matrix, line, error));
    do {
        CLOPT_TRY(read_line(matrix, line, &found, error));
        if (!found)
            return clopt_fail(error, CLOPT_INVALID, "%s: ends before the sizes of the matrix",
                              name);
    } while (line[0] == '%');
    matrix->row = matrix->symmetry == MATRIX_SKEW_SYMMETRIC ? 1 : 0;
    return parse_sizes(matrix, line, most, error);
}

/* Parses the coordinates that begin an entry, counted from 1 in the file. */
static enum clopt_status parse_coordinates(const struct matrix_market *matrix, char **text,
                                           struct matrix_market_entry *entry,
                                           struct clopt_error *error)
{
    if (!parse_count(text, &entry->row) || !parse_count(text, &entry->column))
        return FAIL_AT_LINE(matrix, error, "an entry must be row, column%s",
                            matrix->pattern ? "" : " and value");
    if (entry->row < 1 || entry->row > matrix->rows)
        return FAIL_AT_LINE(matrix, error, "row %" PRIu64 " is not in 1..%" PRIu64, entry->row,
                            matrix->rows);
    if (entry->column < 1 || entry->column > matrix->columns)
        return FAIL_AT_LINE(matrix, error, "column %" PRIu64 " is not in 1..%" PRIu64,
                            entry->column, matrix->columns);
    if (matrix->symmetry != MATRIX_GENERAL && entry->row < entry->column)
        return FAIL_AT_LINE(matrix, error,
                            "row %" PRIu64 ", column %" PRIu64
                            " is above the diagonal: a symmetric file holds the lower triangle",
                            entry->row, entry->column);
    if (matrix->symmetry == MATRIX_SKEW_SYMMETRIC && entry->row == entry->column)
        return FAIL_AT_LINE(matrix, error,
                            "row %" PRIu64 ", column %" PRIu64
                            " is on the diagonal, which is 0 in a skew-symmetric matrix",
                            entry->row, entry->column);
    entry->row--;
    entry->column--;
    return CLOPT_OK;
}

/* Gives an entry of an array file its place, and finds the next one: down the columns. */
static void place_entry(struct matrix_market *matrix, struct matrix_market_entry *entry)
{
    entry->row = matrix->row;
    entry->column = matrix->column;
    if (++matrix->row < matrix->rows)
        return;
    matrix->column++;
    matrix->row = matrix->symmetry == MATRIX_GENERAL     ? 0
                  : matrix->symmetry == MATRIX_SYMMETRIC ? matrix->column
                                                         : matrix->column + 1;
}

/* Parses a decimal number; strtod() alone would also take hexadecimal ones and "infinity". */
static enum clopt_status parse_value(const struct matrix_market *matrix, char **text, double *value,
                                     struct clopt_error *error)
{
    char *start = *text + strspn(*text, BLANKS);
    size_t length = strcspn(start, BLANKS);
    const char *digits = matrix->integer ? "+-0123456789" : "+-.0123456789eE";
    *value = strtod(start, text);
    if (length == 0 || strspn(start, digits) != length || *text != start + length)
        return FAIL_AT_LINE(matrix, error, "'%.*s' is not %s", (int)(length < 40 ? length : 40),
                            start, matrix->integer ? "an integer" : "a finite number");
    if (!isfinite(*value))
        return FAIL_AT_LINE(matrix, error, "'%.*s' is too large", (int)(length < 40 ? length : 40),
                            start);
    return CLOPT_OK;
}

enum clopt_status matrix_market_next(struct matrix_market *matrix,
                                     struct matrix_market_entry *entry, struct clopt_error *error)
{
    char line[LINE_SIZE];
    bool found;
    CLOPT_TRY(read_line(matrix, line, &found, error));
    if (!found)
        return FAIL_AT_LINE(matrix, error,
                            "the file ends after %" PRIu64 " of %" PRIu64 " entries: truncated?",
                            matrix->read, matrix->entries);
    char *text = line;
    if (matrix->array)
        place_entry(matrix, entry);
    else
        CLOPT_TRY(parse_coordinates(matrix, &text, entry, error));
    entry->value = 1;
    if (!matrix->pattern)
        CLOPT_TRY(parse_value(matrix, &text, &entry->value, error));
    if (!at_end(text))
        return FAIL_AT_LINE(matrix, error, "more than one entry in a line");
    matrix->read++;
    return CLOPT_OK;
}

enum clopt_status matrix_market_end(struct matrix_market *matrix, struct clopt_error *error)
{
    char line[LINE_SIZE];
    bool found;
    CLOPT_TRY(read_line(matrix, line, &found, error));
    if (found)
        return FAIL_AT_LINE(matrix, error, "the file goes on after its %" PRIu64 " entries",
                            matrix->entries);
    return CLOPT_OK;
}

void matrix_market_write(FILE *stream, const char *comment, uint64_t size, const float *elements,
                         uint64_t stride)
{
    fprintf(stream, "%%%%MatrixMarket matrix array real general\n%% %s\n%" PRIu64 " %" PRIu64 "\n",
            comment, size, size);
    for (uint64_t column = 0; column < size; column++)
        for (uint64_t row = 0; row < size; row++)
            fprintf(stream, "%.9g\n", (double)elements[row * stride + column]);
}
