/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints running text in lines that fit a terminal. */
#include "text/wrap.h"

#include <stdbool.h>
#include <string.h>

static size_t width_of(const char *text, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\033') /* a colour ends with an m */
            while (i < length && text[i] != 'm')
                i++;
        else
            width += ((unsigned char)text[i] & 0xc0) != 0x80; /* not what continues a character */
    }
    return width;
}

size_t clopt_text_width(const char *text)
{
    return width_of(text, strlen(text));
}

/* Returns the length of the next piece of text that is not broken. */
static size_t piece(const char *text, size_t most)
{
    size_t word = strcspn(text, " ");
    if (width_of(text, word) <= most)
        return word;
    size_t part = strcspn(text, "+,") + 1;
    return part < word ? part : word;
}

void clopt_wrap_print(FILE *stream, size_t column, unsigned indent, const char *text)
{
    clopt_wrap_print_within(stream, CLOPT_LINE_WIDTH, column, indent, text);
}

void clopt_wrap_print_within(FILE *stream, size_t line, size_t column, unsigned indent,
                             const char *text)
{
    bool first = true;
    bool spaced = false; /* a space is due */
    while (*text) {
        size_t length = piece(text, line - indent);
        size_t width = width_of(text, length);
        if (!first && column + spaced + width > line) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
        } else if (spaced) {
            putc(' ', stream);
            column++;
        }
        fwrite(text, 1, length, stream);
        column += width;
        first = false;
        text += length;
        spaced = *text == ' ';
        text += strspn(text, " ");
    }
    putc('\n', stream);
}
