/* SPDX-License-Identifier: BSD-3-Clause */
/* The forms in which a report is written. */
#include "report/writer.h"

#include <errno.h>
#include <string.h>

const struct clopt_writer_operations *clopt_writer_of(enum clopt_report_form form)
{
    static const struct clopt_writer_operations *const forms[] = {
        [CLOPT_REPORT_TEXT] = &clopt_text_writer,
        [CLOPT_REPORT_HTML] = &clopt_html_writer,
        [CLOPT_REPORT_MARKDOWN] = &clopt_markdown_writer,
        [CLOPT_REPORT_LATEX] = &clopt_latex_writer,
    };
    return forms[form];
}

enum clopt_status clopt_writer_finish(struct clopt_writer *writer, enum clopt_status status,
                                      struct clopt_error *error)
{
    const struct clopt_text *text = &writer->text;
    if (writer->operations->end)
        writer->operations->end(writer);
    if (!status && text->failed)
        status = clopt_fail_memory(error);
    if (!status && fwrite(clopt_text_string(text), 1, text->length, writer->stream) != text->length)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_text_fini(&writer->text);
    clopt_text_fini(&writer->heading);
    return status;
}
