/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt plugins` says of plugins, for machines. */
#include "commands/plugins/plugins.h"

#include "number/values.h"
#include "plugin/descriptor.h"
#include "text/json.h"

static json_t *parameters_to_json(const struct clopt_parameter *parameters)
{
    json_t *array = json_array();
    for (const struct clopt_parameter *p = parameters; p && p->name; p++)
        clopt_json_append(&array, json_pack("{s:s, s:s, s:s?, s:s?, s:s, s:b, s:s?, s:s?}", "name",
                                            p->name, "type", clopt_type_text(p->type), "legal",
                                            clopt_parameter_legal(p), "initial", p->initial, "help",
                                            p->help, "knob", (int)p->knob, "with", p->with,
                                            "without", p->without));
    return array;
}

static json_t *kernels_to_json(const struct clopt_kernel *kernels)
{
    json_t *array = json_array();
    for (const struct clopt_kernel *kernel = kernels; kernel && kernel->name; kernel++)
        clopt_json_append(&array, json_pack("{s:s, s:i, s:b}", "name", kernel->name, "dimensions",
                                            (int)kernel->dimensions, "any_local_size",
                                            (int)kernel->any_local_size));
    return array;
}

static json_t *knobs_to_json(const struct clopt_knob *knobs)
{
    json_t *array = json_array();
    for (const struct clopt_knob *knob = knobs; knob && knob->parameter; knob++)
        clopt_json_append(&array,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:s}", "optimization",
                                    knob->optimization, "parameter", knob->parameter, "macro",
                                    knob->macro, "legal", knob->legal, "initial", knob->initial,
                                    "kernels", knob->kernels, "help", knob->help));
    return array;
}

/* The sections of a study that describe an app. */
static json_t *sections_to_json(const struct clopt_define *define)
{
    json_t *array = json_array();
    const struct clopt_section_help *section = define ? define->sections : NULL;
    for (; section && section->name; section++)
        clopt_json_append(&array,
                          json_pack("{s:s, s:s}", "name", section->name, "help", section->help));
    return array;
}

json_t *clopt_plugin_to_json(const struct clopt_plugin_entry *entry)
{
    const struct clopt_extension *extension = entry->extension;
    if (extension->kind == CLOPT_KIND_OPTIMIZATION)
        return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "kind", "optimization", "name",
                         extension->name, "summary", extension->summary, "path", entry->path,
                         "sha256", entry->hash, "parameters",
                         parameters_to_json(entry->extension->optimization->parameters));
    if (extension->kind != CLOPT_KIND_APP)
        return json_pack("{s:s, s:s, s:s, s:s}", "kind", clopt_kind_text(extension->kind), "name",
                         extension->name, "summary", extension->summary, "path", entry->path);
    const struct clopt_app *app = entry->extension->app;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s?, s:o, s:o, s:o, s:o, s:o}", "kind", "app",
                     "name", extension->name, "summary", extension->summary, "path", entry->path,
                     "sha256", entry->hash, "dwarf", app->dwarf, "source", app->source, "kernels",
                     kernels_to_json(app->kernels), "inputs", parameters_to_json(app->inputs),
                     "knobs", knobs_to_json(app->knobs), "results",
                     parameters_to_json(app->results), "sections", sections_to_json(app->define));
}

json_t *clopt_plugins_to_json(const struct clopt_registry *registry)
{
    json_t *apps = json_array();
    json_t *optimizations = json_array();
    json_t *others = json_array();
    json_t *refused = json_array();
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_ANY, i)); i++) {
        const struct clopt_extension *extension = entry->extension;
        struct clopt_error none; /* what is found is hashed */
        clopt_registry_find(registry, (enum clopt_kind)extension->kind, extension->name, &entry,
                            &none);
        clopt_json_append(extension->kind == CLOPT_KIND_APP            ? &apps
                          : extension->kind == CLOPT_KIND_OPTIMIZATION ? &optimizations
                                                                       : &others,
                          clopt_plugin_to_json(entry));
    }
    const struct clopt_plugin_refusal *refusal;
    for (size_t i = 0; (refusal = clopt_registry_refusal(registry, i)); i++)
        clopt_json_append(&refused, json_pack("{s:s, s:s, s:s}", "name", refusal->name, "path",
                                              refusal->path, "reason", refusal->reason));
    return json_pack("{s:o, s:o, s:o, s:o}", "apps", apps, "optimizations", optimizations,
                     "extensions", others, "refused", refused);
}
