/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads FASTA files character by character: a whole genome may stand in one line. */
#include "fasta.h"

#include <errno.h>

#include <clopt/memory.h>

/* Where in a file the reader is. */
struct reader {
    FILE *stream;
    const char *path;
    size_t line;
    size_t column; /* of the character read last, from 1 */
    size_t most;
};

static int next_character(struct reader *reader)
{
    int c = getc(reader->stream);
    reader->column++;
    if (c == '\r') { /* lines may end as on other systems */
        int following = getc(reader->stream);
        if (following != '\n' && following != EOF)
            ungetc(following, reader->stream);
        c = '\n';
    }
    return c;
}

static void begin_line(struct reader *reader)
{
    reader->line++;
    reader->column = 0;
}

static void skip_line(struct reader *reader)
{
    int c;
    while ((c = next_character(reader)) != '\n' && c != EOF)
        ;
    begin_line(reader);
}

/* Reads the header after its `>`; a sequence may lack a name. */
static void read_header(struct reader *reader, struct fasta *fasta)
{
    size_t length = 0;
    int c;
    bool in_name = true;
    while ((c = next_character(reader)) != '\n' && c != EOF) {
        if (c <= ' ')
            in_name = length == 0; /* blanks in front of the name are skipped */
        else if (in_name && length < FASTA_NAME_SIZE - 1)
            fasta->name[length++] = c < 127 ? (char)c : '?';
    }
    if (length == 0)
        memcpy(fasta->name, "unnamed", sizeof "unnamed");
    begin_line(reader);
}

/* Returns the code of a letter, or -1. */
static int letter_code(int c)
{
    if (c >= 'a' && c <= 'z')
        return c - 'a';
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    return c == '*' ? 26 : -1;
}

static enum clopt_status fail_at_character(const struct reader *reader, int c,
                                           struct clopt_error *error)
{
    if (c > ' ' && c < 127)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s:%zu: '%c' in column %zu is not a letter of a sequence (A to Z, *)",
                          reader->path, reader->line, c, reader->column);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s:%zu: byte 0x%02x in column %zu is not a letter of a sequence (A to Z, *)",
                      reader->path, reader->line, (unsigned)c, reader->column);
}

static enum clopt_status append(struct reader *reader, struct fasta *fasta, int code,
                                struct clopt_error *error)
{
    if (fasta->length == reader->most)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s:%zu: the sequence has more than %zu letters, too many to align",
                          reader->path, reader->line, reader->most);
    clopt_array_grow(&fasta->letters, fasta->length, 1);
    fasta->letters[fasta->length++] = (uint8_t)code;
    return CLOPT_OK;
}

/* Reads the lines after the header. */
static enum clopt_status read_letters(struct reader *reader, struct fasta *fasta,
                                      struct clopt_error *error)
{
    int c;
    while ((c = next_character(reader)) != EOF) {
        if (c == '\n') {
            begin_line(reader);
        } else if (c == '>' && reader->column == 1) {
            return clopt_fail(error, CLOPT_INVALID,
                              "%s:%zu: a second sequence begins; leave one in the file",
                              reader->path, reader->line);
        } else if (c == ';' && reader->column == 1) {
            skip_line(reader);
        } else if (c != ' ' && c != '\t') {
            int code = letter_code(c);
            CLOPT_TRY(code < 0 ? fail_at_character(reader, c, error)
                               : append(reader, fasta, code, error));
        }
    }
    if (fasta->length == 0 && !ferror(reader->stream))
        return clopt_fail(error, CLOPT_INVALID, "%s:%zu: the sequence '%s' has no letters",
                          reader->path, reader->line, fasta->name);
    return CLOPT_OK;
}

/* Goes to the header: only empty lines and comments may stand before it. */
static enum clopt_status find_header(struct reader *reader, struct clopt_error *error)
{
    int c;
    while ((c = next_character(reader)) == '\n' || (c == ';' && reader->column == 1))
        if (c == '\n')
            begin_line(reader);
        else
            skip_line(reader);
    if (c == '>' || ferror(reader->stream))
        return CLOPT_OK;
    if (c == EOF)
        return clopt_fail(error, CLOPT_INVALID, "%s: has no sequence", reader->path);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s:%zu: is not a FASTA file: a line with > and a name must come first",
                      reader->path, reader->line);
}

enum clopt_status fasta_read(FILE *stream, const char *path, size_t most, struct fasta *fasta,
                             struct clopt_error *error)
{
    struct reader reader = {.stream = stream, .path = path, .line = 1, .most = most};
    *fasta = (struct fasta){.letters = NULL};
    CLOPT_TRY(find_header(&reader, error));
    read_header(&reader, fasta);
    CLOPT_TRY(read_letters(&reader, fasta, error));
    return ferror(stream)
               ? clopt_fail(error, CLOPT_FAILED, "%s: cannot be read: %s", path, strerror(errno))
               : CLOPT_OK;
}

void fasta_free(struct fasta *fasta)
{
    free(fasta->letters);
    *fasta = (struct fasta){.letters = NULL};
}
