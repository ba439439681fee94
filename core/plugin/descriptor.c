/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks a plugin's descriptor field by field: its ABI number before anything else. */
#include "plugin/descriptor.h"

#define LONGEST_NAME    31
#define LONGEST_SUMMARY 100
#define LONGEST_HELP    300 /* a summary of an inner kind, which is the help of an option */
#define MOST_EXTENSIONS 64

static bool is_made_of(const char *name, const char *letters)
{
    if (name[0] < 'a' || name[0] > 'z')
        return false;
    size_t length = strnlen(name, LONGEST_NAME + 1);
    return length <= LONGEST_NAME && strspn(name, letters) == length;
}

bool clopt_name_is_legal(const char *name)
{
    return is_made_of(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
}

const char *clopt_kind_text(enum clopt_kind kind)
{
    static const char *const texts[CLOPT_KINDS] = {
        "plugin",   "app",     "optimization", "strategy", "analysis", "format", "command",
        "observer", "counter", "launcher",     "reader",   "rival",    "section"};
    return texts[kind];
}

const char *clopt_kind_folder(enum clopt_kind kind)
{
    static const char *const texts[CLOPT_KINDS] = {
        "plugins",   "apps",     "optimizations", "strategies", "analyses", "formats", "commands",
        "observers", "counters", "launchers",     "readers",    "rivals",   "sections"};
    return texts[kind];
}

/* What a kind needs of its operations: those that begin its struct, whose names are these in their
 * order. The first `together` are needed, or instead the one after them. */
static const struct {
    size_t together;
    const char *names[8];
} needs[CLOPT_KINDS] = {
    [CLOPT_KIND_ANALYSIS] = {1, {"write"}},
    [CLOPT_KIND_FORMAT] = {1, {"write", "exchange"}},
    [CLOPT_KIND_COMMAND] = {2, {"name", "run"}},
    [CLOPT_KIND_COUNTER] = {5, {"open", "begin", "end", "get", "close", "measure"}},
    [CLOPT_KIND_LAUNCHER] = {1, {"command"}},
    [CLOPT_KIND_READER] = {2, {"knows", "form"}},
    [CLOPT_KIND_RIVAL] = {7, {"key", "check", "lines", "build", "solve", "fetch", "destroy"}},
    [CLOPT_KIND_SECTION] = {1, {"read", "finish"}},
};

/* Whether operation `index` is there: a pointer to a function, or to a text. */
static bool has(const struct clopt_extension *extension, size_t index)
{
    void (*operation)(void) = NULL;
    size_t at = index * sizeof operation;
    if (at + sizeof operation <= extension->operations_size)
        memcpy(&operation, (const char *)extension->operations + at, sizeof operation);
    return operation;
}

/* Checks that those are there which clopt calls unasked. */
static enum clopt_status check_needs(const struct clopt_extension *extension,
                                     struct clopt_error *error)
{
    const char *const *names = needs[extension->kind].names;
    size_t together = needs[extension->kind].together, first = 0;
    while (first < together && has(extension, first))
        first++;
    if (first == together)
        return CLOPT_OK;
    const char *other = names[together];
    if (other && has(extension, together))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it lacks the operation %s%s%s", names[first],
                      other ? ", or instead " : "", other ? other : "");
}

/* Checks that the operations are what this clopt knows. */
static enum clopt_status check_operations(const struct clopt_extension *extension,
                                          struct clopt_error *error)
{
    size_t size = extension->kind == CLOPT_KIND_APP            ? sizeof(struct clopt_app)
                  : extension->kind == CLOPT_KIND_OPTIMIZATION ? sizeof(struct clopt_optimization)
                                                               : extension->operations_size;
    if (extension->operations_size != size)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its operations have %u bytes, this clopt's have %zu: build it again",
                          extension->operations_size, size);
    if (!extension->operations)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no operations");
    if (extension->kind == CLOPT_KIND_APP)
        return clopt_app_check(extension->app, error);
    return extension->kind == CLOPT_KIND_OPTIMIZATION
               ? clopt_optimization_check(extension->optimization, error)
               : check_needs(extension, error);
}

/* Checks name and summary. Names of inner kinds are options, too: they may have hyphens. */
static enum clopt_status check_texts(const struct clopt_extension *extension,
                                     struct clopt_error *error)
{
    bool inner = extension->kind > CLOPT_KIND_OPTIMIZATION;
    if (!(inner ? is_made_of(extension->name, "abcdefghijklmnopqrstuvwxyz0123456789_-")
                : clopt_name_is_legal(extension->name)))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "illegal name '%.32s': a letter a-z, then at most 30 of a-z, 0-9%s and _",
                          extension->name, inner ? ", -" : "");
    if (!extension->summary || !extension->summary[0])
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no summary");
    size_t most = inner ? LONGEST_HELP : LONGEST_SUMMARY;
    size_t length = strnlen(extension->summary, most + 1);
    if (length > most || memchr(extension->summary, '\n', length))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its summary is not one line of at most %zu bytes", most);
    return CLOPT_OK;
}

static enum clopt_status check_extension(const struct clopt_plugin *plugin,
                                         const struct clopt_extension *extension,
                                         struct clopt_error *error)
{
    if (extension->kind == CLOPT_KIND_ANY || extension->kind >= CLOPT_KINDS)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "its kind %u is not one that this clopt knows, 1 to %d", extension->kind,
                          CLOPT_KINDS - 1);
    if (extension->kind > CLOPT_KIND_OPTIMIZATION && strcmp(plugin->release, CLOPT_RELEASE) != 0)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "the kind %s is tied to the release: it was built for clopt %.32s, this "
                          "is %s: build it again",
                          clopt_kind_text(extension->kind), plugin->release, CLOPT_RELEASE);
    CLOPT_TRY(check_texts(extension, error));
    return check_operations(extension, error);
}

static enum clopt_status check_extensions(const struct clopt_plugin *plugin,
                                          struct clopt_error *error)
{
    const struct clopt_extension *extensions = plugin->extensions;
    if (!plugin->release)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it names no release");
    if (!extensions || !extensions[0].name)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "it has no extension with a name");
    for (size_t i = 0; extensions[i].name; i++) {
        if (i == MOST_EXTENSIONS)
            return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                              "its list of extensions has no end (one without a name)");
        if (check_extension(plugin, &extensions[i], error))
            return i ? clopt_fail_within(error, "extension %.32s", extensions[i].name)
                     : error->status;
    }
    return CLOPT_OK;
}

enum clopt_status clopt_descriptor_check(const void *descriptor, size_t bytes,
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
    return check_extensions(plugin, error);
}
