/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of formats. */
#include "document/format.h"

#include <errno.h>
#include <string.h>

const struct clopt_format clopt_formats[] = {
    {.name = "text", .write = clopt_write_text},
    {.name = "HTML", .option = "html", .draws = true, .write = clopt_write_html},
    {.name = "Markdown", .option = "markdown", .write = clopt_write_markdown},
    {.name = "LaTeX", .option = "latex", .write = clopt_write_latex},
    {.name = "CSV", .option = "csv", .for_programs = true, .write = clopt_write_csv},
    {.name = "JSON", .option = "json", .for_programs = true, .write = clopt_write_json},
    {.name = "figures",
     .option = "figures",
     .draws = true,
     .in_folder = true,
     .write = clopt_write_figures},
    {.name = NULL},
};

const struct clopt_format *clopt_format_find(const char *option)
{
    for (const struct clopt_format *format = clopt_formats; format->name; format++)
        if (format->option && strcmp(format->option, option) == 0)
            return format;
    return NULL;
}

enum clopt_status clopt_document_write(const struct clopt_document *document,
                                       const struct clopt_format *format,
                                       const struct clopt_writing *writing,
                                       struct clopt_error *error)
{
    if (document->failed)
        return clopt_fail_memory(error);
    return format->write(document, writing, error);
}

enum clopt_status clopt_writing_finish(const struct clopt_writing *writing, struct clopt_text *page,
                                       struct clopt_error *error)
{
    enum clopt_status status = page->failed ? clopt_fail_memory(error) : CLOPT_OK;
    if (!status &&
        fwrite(clopt_text_string(page), 1, page->length, writing->stream) != page->length)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_text_fini(page);
    return status;
}
