/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what Oclgrind has written of the first launch of a variant. */
#include "observers/observers.h"

#include <ctype.h>
#include <unistd.h>

#include "file/file.h"

/* One line of a log, without its blanks. */
struct line {
    const char *text;
    int length;
};

/* Reads the line at *at and moves *at after it; false at the end. */
static bool read_line(const char **at, struct line *line)
{
    if (!**at)
        return false;
    size_t length = strcspn(*at, "\n");
    const char *text = *at;
    *at += length + ((*at)[length] == '\n');
    while (length && isblank((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    *line = (struct line){text, (int)length};
    return true;
}

/* Adds what follows the title of a finding: its kernel, and the lines of the source with their
 * text. Two empty lines end a finding. */
static void add_details(struct clopt_text *text, const char *at)
{
    struct line line;
    unsigned number, column, empty = 0;
    const char *link = ": ";
    while (empty < 2 && read_line(&at, &line)) {
        empty = line.length ? 0 : empty + 1;
        if (strncmp(line.text, "Kernel:", 7) == 0) {
            clopt_text_printf(text, " in kernel%.*s", line.length - 7, line.text + 7);
        } else if (sscanf(line.text, "At line %u (column %u)", &number, &column) == 2) {
            clopt_text_printf(text, "%sline %u", link, number);
            link = " and ";
            if (read_line(&at, &line) && line.length)
                clopt_text_printf(text, " \"%.*s\"", line.length, line.text);
        }
    }
}

/* The same for a log's text. */
static enum clopt_status read_findings(const char *log, struct clopt_error *error)
{
    struct line title = {0};
    while (!title.length && read_line(&log, &title))
        ;
    if (!title.length)
        return CLOPT_OK;
    CLOPT_OWNED(clopt_text) text = {0};
    CLOPT_FREED char *cut = clopt_strndup(title.text, (size_t)title.length);
    char *address = strstr(cut, " address 0x"); /* another one every time */
    if (address)
        *address = '\0';
    clopt_text_append(&text, cut);
    add_details(&text, log);
    return clopt_fail(error, CLOPT_WRONG_RESULT, "%s", clopt_text_string(&text));
}

/* Quotes the first thing that Oclgrind has written to its log since the process was started. A
 * process that does not run under Oclgrind has nothing to say. */
static enum clopt_status check_log(struct clopt_error *error)
{
    const char *path = getenv("OCLGRIND_LOG"); /* which is how Oclgrind hands --log on */
    CLOPT_FREED char *log = NULL;
    if (!path || access(path, F_OK) != 0) /* it is made when there is something to write */
        return CLOPT_OK;
    CLOPT_TRY(clopt_file_read(path, CLOPT_MOST_TEXT_BYTES, &log, NULL, error));
    return read_findings(log, error);
}

const struct clopt_observer clopt_oclgrind_observer = {.launched = check_log};
