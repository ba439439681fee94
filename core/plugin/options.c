/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that extensions have at the command line. */
#include "plugin/options.h"

#include <clopt/memory.h>

/* Those that one function makes. */
struct made_options {
    clopt_option_row *row;
    struct clopt_key *options;
    size_t count;
    struct made_options *next;
};

static void add_option(struct made_options *made, const struct clopt_extension *extension)
{
    struct clopt_key option = {.is = {.name = extension->name, .help = extension->summary},
                               .extension = extension};
    clopt_array_grow(&made->options, made->count, sizeof option);
    if (made->row(extension, &option))
        made->options[made->count++] = option;
}

static struct made_options *make_options(struct clopt_registry *registry, clopt_option_row *row)
{
    struct made_options *made = clopt_calloc(1, sizeof *made);
    const struct clopt_plugin_entry *entry;
    made->row = row;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_ANY, i)); i++)
        add_option(made, entry->extension);
    clopt_array_grow(&made->options, made->count, sizeof *made->options);
    made->options[made->count] = (struct clopt_key){0};
    return made;
}

const struct clopt_key *clopt_extension_options(struct clopt_registry *registry,
                                                clopt_option_row *row)
{
    struct made_options **made = clopt_registry_options(registry);
    while (*made && (*made)->row != row)
        made = &(*made)->next;
    if (!*made)
        *made = make_options(registry, row);
    return (*made)->options;
}

void clopt_extension_options_destroy(struct made_options *made)
{
    while (made) {
        struct made_options *next = made->next;
        free(made->options);
        free(made);
        made = next;
    }
}
