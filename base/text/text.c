/* SPDX-License-Identifier: BSD-3-Clause */
/* A string that grows. */
#include "text/text.h"

#include <ctype.h>
#include <unistd.h>

#include <clopt/memory.h>

/* Makes room for `more` bytes and a NUL. */
static void reserve(struct clopt_text *text, size_t more)
{
    if (more >= SIZE_MAX / 2 - text->length)
        clopt_memory_end();
    size_t needed = text->length + more + 1;
    if (text->data && needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 64;
    while (capacity < needed)
        capacity *= 2;
    text->data = clopt_realloc(text->data, capacity, 1);
    text->capacity = capacity;
}

void clopt_text_append_bytes(struct clopt_text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void clopt_text_append(struct clopt_text *text, const char *string)
{
    clopt_text_append_bytes(text, string, strlen(string));
}

void clopt_text_append_char(struct clopt_text *text, char character)
{
    clopt_text_append_bytes(text, &character, 1);
}

void clopt_text_vprintf(struct clopt_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) /* longer than an int can say */
        clopt_memory_end();
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, arguments);
    text->length += (size_t)length;
}

void clopt_text_printf(struct clopt_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(text, format, arguments);
    va_end(arguments);
}

char *clopt_text_vformat(const char *format, va_list arguments)
{
    struct clopt_text text = {0};
    clopt_text_vprintf(&text, format, arguments);
    return clopt_text_take(&text);
}

char *clopt_text_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = clopt_text_vformat(format, arguments);
    va_end(arguments);
    return text;
}

bool clopt_text_ends(const char *text, const char *ending)
{
    size_t length = strlen(text), own = strlen(ending);
    return length > own && strcmp(text + length - own, ending) == 0;
}

/* Returns how many bytes the character at `string` has in UTF-8, and which it is; 0: it is none. */
static size_t read_character(const char *string, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)*string;
    size_t length = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (length == 0 || first >= 0xf8)
        return 0;
    *character = length == 1 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)string[i] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | ((unsigned char)string[i] & 0x3f);
    }
    bool good = *character >= least[length] && *character <= 0x10ffff &&
                !(*character >= 0xd800 && *character < 0xe000);
    return good ? length : 0;
}

/* Whether a character is shown as itself: no control, no mark of direction, not set aside. */
static bool is_shown(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    bool direction =
        c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    bool none = (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c < 0xfdf0);
    return !control && !direction && !none;
}

/* Appends a string as people can read it; `line_end` is written for the end of a line. */
static void append_shown(struct clopt_text *text, const char *string, const char *line_end)
{
    while (*string) {
        uint32_t character = 0;
        size_t length = read_character(string, &character);
        if (length && is_shown(character))
            clopt_text_append_bytes(text, string, length);
        else if (*string == '\n')
            clopt_text_append(text, line_end);
        else
            clopt_text_append(text, *string == '\t' ? " " : "\xef\xbf\xbd");
        string += length ? length : 1;
    }
}

void clopt_text_append_printable(struct clopt_text *text, const char *string)
{
    append_shown(text, string, " ");
}

void clopt_text_append_printable_lines(struct clopt_text *text, const char *string)
{
    append_shown(text, string, "\n");
}

void clopt_text_print(FILE *stream, const char *format, ...)
{
    CLOPT_OWNED(clopt_text) shown = {0};
    va_list arguments;
    if (!stream)
        return;
    va_start(arguments, format);
    CLOPT_FREED char *text = clopt_text_vformat(format, arguments);
    va_end(arguments);
    clopt_text_append_printable_lines(&shown, text);
    if (strncmp(text, "clopt: ", 7) == 0 && isatty(fileno(stream)))
        fputs(CLOPT_CLEAR_LINE, stream);
    fputs(clopt_text_string(&shown), stream);
}

void clopt_text_append_word(struct clopt_text *text, const char *string)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_@%+=:,./-";
    const char *quote = *string && !string[strspn(string, plain)] ? "" : "'";
    clopt_text_append(text, quote);
    for (; *string; string++)
        clopt_text_append_bytes(text, *string == '\'' ? "'\\''" : string, *string == '\'' ? 4 : 1);
    clopt_text_append(text, quote);
}

void clopt_text_clear(struct clopt_text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

const char *clopt_text_string(const struct clopt_text *text)
{
    return text->data ? text->data : "";
}

char *clopt_text_take(struct clopt_text *text)
{
    reserve(text, 0);
    char *data = text->data;
    data[text->length] = '\0';
    *text = (struct clopt_text){0};
    return data;
}

void clopt_text_fini(struct clopt_text *text)
{
    free(text->data);
    *text = (struct clopt_text){0};
}

char *clopt_text_trim(char *string)
{
    while (isspace((unsigned char)*string))
        string++;
    size_t length = strlen(string);
    while (length && isspace((unsigned char)string[length - 1]))
        string[--length] = '\0';
    return string;
}

bool clopt_text_has_word(const char *list, const char *word)
{
    static const char ends[] = " ,";
    size_t length = strlen(word);
    for (const char *at = list; length && (at = strstr(at, word)); at += length)
        if ((at == list || strchr(ends, at[-1])) && strchr(ends, at[length]))
            return true;
    return false;
}

size_t clopt_word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

bool clopt_is_identifier(const char *text)
{
    return *text && !isdigit((unsigned char)*text) && !text[clopt_word_length(text)];
}

/* ---- prints running text in lines that fit a terminal ---- */

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
