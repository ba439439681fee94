/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes documents in formats. */
#include "document/format.h"

#include <errno.h>

static const char *const page_begins[] = {CLOPT_PAGE_BEGIN, NULL};
const struct clopt_file_kind clopt_page_kind = {"page", page_begins};

const struct clopt_extension *clopt_format_find(const struct clopt_registry *registry,
                                                const char *name)
{
    const struct clopt_plugin_entry *entry = NULL;
    if (name)
        return clopt_registry_find(registry, CLOPT_KIND_FORMAT, name, &entry, NULL)
                   ? NULL
                   : entry->extension;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_FORMAT, i)); i++)
        if (((const struct clopt_format *)entry->extension->operations)->standard)
            return entry->extension;
    return NULL;
}

enum clopt_status clopt_document_write(const struct clopt_document *document,
                                       const struct clopt_format *format,
                                       const struct clopt_writing *writing,
                                       struct clopt_error *error)
{
    return format->write(document, writing, error);
}

void clopt_sentence_append_plain(struct clopt_text *text, const char *sentence)
{
    for (; *sentence; sentence++)
        if (*sentence != *CLOPT_STRONG && *sentence != *CLOPT_WEAK)
            clopt_text_append_char(text, *sentence);
}

enum clopt_status clopt_writing_finish(const struct clopt_writing *writing, struct clopt_text *page,
                                       struct clopt_error *error)
{
    if (fwrite(clopt_text_string(page), 1, page->length, writing->stream) != page->length)
        return clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    return CLOPT_OK;
}

enum clopt_status clopt_document_mark(const struct clopt_document *document,
                                      const struct clopt_markup *markup,
                                      const struct clopt_writing *writing,
                                      struct clopt_error *error)
{
    struct clopt_page page = {.document = document, .writing = writing, .error = error};
    if (markup->begin)
        markup->begin(&page);
    for (size_t i = 0; i < document->count && !page.status; i++) {
        const struct clopt_block *block = &document->blocks[i];
        if (markup->blocks[block->kind] && !(block->extent & markup->leaves_out))
            markup->blocks[block->kind](&page, block);
    }
    if (markup->end)
        markup->end(&page);
    if (!page.status)
        page.status = clopt_writing_finish(writing, &page.text, error);
    clopt_text_fini(&page.heading);
    clopt_text_fini(&page.text);
    return page.status;
}
