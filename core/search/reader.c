/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds who reads a document in a format of others. */
#include "search/reader.h"

#include "text/text.h"

enum clopt_status clopt_reader_find(const struct clopt_registry *registry, const json_t *document,
                                    bool study, const struct clopt_reader **reader,
                                    struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) forms = {0};
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_READER, i)); i++) {
        *reader = entry->extension->operations;
        if (study ? !(*reader)->study : !(*reader)->space)
            continue;
        if ((*reader)->knows(document))
            return CLOPT_OK;
        clopt_text_printf(&forms, "%s%s", forms.length ? ", nor " : "", (*reader)->form);
    }
    return forms.length
               ? clopt_fail(error, CLOPT_INVALID, "it is not %s", clopt_text_string(&forms))
               : clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                            "no plugin reads it; `clopt plugins --kind=reader` lists "
                            "those that there are");
}
