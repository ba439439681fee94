/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a plugin's descriptor field by field: its ABI number before anything else. */
#include "plugin/descriptor.h"

#define LONGEST_NAME    31
#define LONGEST_SUMMARY 100

bool clopt_name_is_legal(const char *name)
{
    if (name[0] < 'a' || name[0] > 'z')
        return false;
    size_t length = strnlen(name, LONGEST_NAME + 1);
    return length <= LONGEST_NAME &&
           strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static enum clopt_status check_sizes(const struct clopt_plugin *plugin, struct clopt_error *error)
{
    size_t operations_size;
    switch (plugin->kind) {
    case CLOPT_PLUGIN_APP:
        operations_size = sizeof(struct clopt_app);
        break;
    case CLOPT_PLUGIN_OPTIMIZATION:
        operations_size = sizeof(struct clopt_optimization);
        break;
    default:
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "kind %u is neither app (%d) nor optimization (%d)", plugin->kind,
                          CLOPT_PLUGIN_APP, CLOPT_PLUGIN_OPTIMIZATION);
    }
    if (plugin->operations_size != operations_size)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its operations have %u bytes, this clopt's have %zu: build it again",
                          plugin->operations_size, operations_size);
    return CLOPT_OK;
}

static enum clopt_status check_texts(const struct clopt_plugin *plugin, const char *name,
                                     struct clopt_error *error)
{
    if (!plugin->name)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no name");
    if (!clopt_name_is_legal(plugin->name))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "illegal name '%.32s': a letter a-z, then at most 30 of a-z, 0-9 and _",
                          plugin->name);
    if (strcmp(plugin->name, name) != 0)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "it calls itself '%s': name the file %s.so, or change the name",
                          plugin->name, plugin->name);
    if (!plugin->summary || !plugin->summary[0])
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no summary");
    size_t length = strnlen(plugin->summary, LONGEST_SUMMARY + 1);
    if (length > LONGEST_SUMMARY || memchr(plugin->summary, '\n', length))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its summary is not one line of at most %d bytes", LONGEST_SUMMARY);
    return CLOPT_OK;
}

enum clopt_status clopt_descriptor_check(const void *descriptor, size_t bytes, const char *name,
                                         struct clopt_error *error)
{
    const struct clopt_plugin *plugin = descriptor;
    uint32_t abi; /* what is no descriptor may have any alignment */
    if (bytes < sizeof abi)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its descriptor has %zu bytes, too few for an ABI number", bytes);
    memcpy(&abi, descriptor, sizeof abi);
    if (abi != CLOPT_ABI)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "built for plugin ABI %u, this clopt has ABI %u: build it again", abi,
                          CLOPT_ABI);
    size_t size = bytes < sizeof *plugin ? bytes : plugin->size;
    if (size != sizeof *plugin)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its descriptor has %zu bytes, this clopt's has %zu: build it again",
                          size, sizeof *plugin);
    CLOPT_TRY(check_sizes(plugin, error));
    CLOPT_TRY(check_texts(plugin, name, error));
    if (!plugin->operations)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no operations");
    if (plugin->kind == CLOPT_PLUGIN_APP)
        return clopt_app_check(plugin->operations, error);
    return clopt_optimization_check(plugin->operations, error);
}
