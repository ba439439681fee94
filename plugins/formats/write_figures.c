/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the charts of a document, a file each, and prints their paths. */
#include "file/folder.h"
#include "formats/formats.h"

static enum clopt_status write_chart(const struct clopt_chart *chart,
                                     const struct clopt_writing *writing,
                                     struct clopt_file_set *files, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) data = {0};
    CLOPT_TRY(
        clopt_chart_draw(chart, writing->gnuplot, writing->figure, true, "figure", &data, error));
    if (!writing->folder)
        return clopt_writing_finish(writing, &data, error);
    clopt_report_folder_add(files, chart->name, clopt_chart_ending(writing->figure), &data);
    return CLOPT_OK;
}

enum clopt_status clopt_write_figures(const struct clopt_document *document,
                                      const struct clopt_writing *writing,
                                      struct clopt_error *error)
{
    CLOPT_OWNED(clopt_file_set) files = {0};
    if (!clopt_document_has(document, CLOPT_BLOCK_CHART))
        return clopt_fail(error, CLOPT_FAILED, "nothing to draw: the report has no chart");
    if (writing->folder)
        CLOPT_TRY(clopt_folder_create(writing->folder, error));
    for (size_t i = 0; i < document->count; i++)
        if (document->blocks[i].kind == CLOPT_BLOCK_CHART)
            CLOPT_TRY(write_chart(&document->blocks[i].chart, writing, &files, error));
    if (writing->folder)
        CLOPT_TRY(clopt_report_folder_write(&files, writing->folder, writing->stream, error));
    return CLOPT_OK;
}
