/* SPDX-License-Identifier: BSD-3-Clause */
/* PGM files, whose text parts are read character by character. */
#include "image.h"

#include <errno.h>

#define MOST_WHITE 65535
#define SHORT      "the file ends before the last pixel: truncated?"

/* Where in a file the reader is. */
struct reader {
    FILE *stream;
    const char *path;
    uint64_t offset; /* bytes read */
    struct clopt_error *error;
};

static int next_byte(struct reader *reader)
{
    int c = getc(reader->stream);
    reader->offset += c != EOF;
    return c;
}

static bool is_blank(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static enum clopt_status fail_at(const struct reader *reader, uint64_t offset, const char *what)
{
    if (ferror(reader->stream))
        return clopt_fail(reader->error, CLOPT_FAILED, "%s: cannot be read: %s", reader->path,
                          strerror(errno));
    return clopt_fail(reader->error, CLOPT_INVALID, "%s: byte %" PRIu64 ": %s", reader->path,
                      offset, what);
}

/* Reads a decimal number and the one byte after it; blanks and comments may come before it. */
static enum clopt_status read_number(struct reader *reader, const char *what, uint64_t least,
                                     uint64_t most, uint64_t *number)
{
    int c;
    while (is_blank(c = next_byte(reader)) || c == '#')
        while (c == '#' && (c = next_byte(reader)) != '\n' && c != '\r' && c != EOF)
            c = '#';
    uint64_t at = reader->offset - (c != EOF);
    char message[160];
    snprintf(message, sizeof message, "the file ends where %s must be: truncated?", what);
    if (c == EOF)
        return fail_at(reader, at, message);
    *number = 0;
    bool digits = false;
    for (; c >= '0' && c <= '9'; c = next_byte(reader)) {
        digits = true;
        if (*number <= most)
            *number = 10 * *number + (uint64_t)(c - '0');
    }
    snprintf(message, sizeof message, "%s must be a number from %" PRIu64 " to %" PRIu64, what,
             least, most);
    if (!digits || (c != EOF && !is_blank(c) && c != '#') || *number < least || *number > most)
        return fail_at(reader, at, message);
    if (c == '#') { /* the comment is read with what follows */
        ungetc(c, reader->stream);
        reader->offset--;
    }
    return CLOPT_OK;
}

static enum clopt_status read_text_pixels(struct reader *reader, struct pgm *image)
{
    uint64_t value;
    for (size_t i = 0; i < image->rows * image->columns; i++) {
        CLOPT_TRY(read_number(reader, "a pixel", 0, image->white, &value));
        image->pixels[i] = (uint16_t)value;
    }
    return CLOPT_OK;
}

/* Reads pixels of one byte, or of two with the more significant one first. */
static enum clopt_status read_binary_pixels(struct reader *reader, struct pgm *image)
{
    size_t size = image->white > 255 ? 2 : 1;
    for (size_t i = 0; i < image->rows * image->columns; i++) {
        uint64_t at = reader->offset;
        int high = size == 2 ? next_byte(reader) : 0;
        int low = next_byte(reader);
        if (high == EOF || low == EOF)
            return fail_at(reader, reader->offset, SHORT);
        unsigned value = (unsigned)high << 8 | (unsigned)low;
        if (value > image->white)
            return fail_at(reader, at, "the pixel is larger than white");
        image->pixels[i] = (uint16_t)value;
    }
    return CLOPT_OK;
}

static enum clopt_status read_head(struct reader *reader, size_t most, bool *binary,
                                   struct pgm *image)
{
    int p = next_byte(reader);
    int kind = next_byte(reader);
    int blank = next_byte(reader);
    if (p != 'P' || (kind != '2' && kind != '5') || (!is_blank(blank) && blank != '#'))
        return fail_at(reader, 0, "is not a PGM file: it does not begin with P2 or P5");
    if (blank == '#') {
        ungetc(blank, reader->stream);
        reader->offset--;
    }
    *binary = kind == '5';
    uint64_t columns;
    uint64_t rows;
    uint64_t white;
    CLOPT_TRY(read_number(reader, "the width", 1, most, &columns));
    CLOPT_TRY(read_number(reader, "the height", 1, most, &rows));
    if (rows > most / columns)
        return clopt_fail(reader->error, CLOPT_INVALID,
                          "%s: byte %" PRIu64 ": %" PRIu64 " x %" PRIu64
                          " pixels are too many, at most %zu are possible",
                          reader->path, reader->offset, columns, rows, most);
    CLOPT_TRY(read_number(reader, "white", 1, MOST_WHITE, &white));
    *image = (struct pgm){(size_t)rows, (size_t)columns, (unsigned)white, NULL};
    return CLOPT_OK;
}

/* Makes sure that only blanks follow. */
static enum clopt_status expect_end(struct reader *reader)
{
    int c;
    while (is_blank(c = next_byte(reader)))
        ;
    if (c == EOF && !ferror(reader->stream))
        return CLOPT_OK;
    return fail_at(reader, reader->offset - (c != EOF), "the file goes on after the image");
}

enum clopt_status pgm_read(FILE *stream, const char *path, size_t most, struct pgm *image,
                           struct clopt_error *error)
{
    struct reader reader = {stream, path, 0, error};
    bool binary = false;
    *image = (struct pgm){.pixels = NULL};
    CLOPT_TRY(read_head(&reader, most, &binary, image));
    uint64_t rest = clopt_file_rest(stream);
    if (binary && rest / (image->white > 255 ? 2 : 1) < image->rows * image->columns)
        return fail_at(&reader, reader.offset + rest, SHORT);
    image->pixels = malloc(image->rows * image->columns * sizeof *image->pixels);
    if (!image->pixels)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "%s: no memory for %zu x %zu pixels", path,
                          image->columns, image->rows);
    CLOPT_TRY(binary ? read_binary_pixels(&reader, image) : read_text_pixels(&reader, image));
    return expect_end(&reader);
}

void pgm_fini(struct pgm *image)
{
    free(image->pixels);
    *image = (struct pgm){.pixels = NULL};
}

void pgm_write_head(FILE *stream, size_t rows, size_t columns, unsigned white)
{
    fprintf(stream, "P5\n%zu %zu\n%u\n", columns, rows, white);
}

void pgm_write_row(FILE *stream, const uint16_t *pixels, size_t columns, unsigned white)
{
    for (size_t i = 0; i < columns; i++) {
        if (white > 255)
            putc(pixels[i] >> 8, stream);
        putc(pixels[i] & 255, stream);
    }
}
