/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [host NAME], and lists of hosts as launchers write them. */
#include <errno.h>
#include <sys/stat.h>

#include "file/file.h"
#include "study/launcher.h"
#include "study/reader.h"
#include "study/schema.h"
#include "text/array.h"

#define AT(member)     offsetof(struct clopt_study_host, member)
#define MOST_DIGITS    9
#define START          "90"
#define START_S        90
#define LIST_CHARACTER "0123456789-,"
#define TOO_MANY       "more than %d hosts"

static const struct clopt_key keys[] = {
    {"launcher", CLOPT_KEY_TEXT, NULL, NULL, AT(launcher),
     "what starts a program there: a launcher (`clopt plugins --kind=launcher`), none, or a "
     "command "
     "with %h [the standard one]"},
    {"program", CLOPT_KEY_TEXT, NULL, NULL, AT(program), "clopt there [clopt]"},
    {"start", CLOPT_KEY_SECONDS, NULL, START "s", AT(start_s),
     "in which it has to become ready, besides the time that files take [" START "s]"},
    {NULL, CLOPT_KEY_OWN, NULL, NULL, 0, NULL},
};

static bool is_name(const char *name)
{
    return *name && *name != '-' && strlen(name) < 256 &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789._:@-")] == '\0';
}

static struct clopt_study_host *find_host(const struct clopt_study *study, const char *name)
{
    for (size_t i = 0; i < study->host_count; i++)
        if (strcmp(study->hosts[i].name, name) == 0)
            return &study->hosts[i];
    return NULL;
}

static const struct clopt_launcher *launcher_of(const struct clopt_plugin_entry *entry)
{
    return entry->extension->operations;
}

/* Returns the name of the standard launcher; NULL: no plugin has one. */
static const char *standard_launcher(const struct clopt_registry *registry)
{
    const struct clopt_plugin_entry *entry;
    clopt_registry_load(registry);
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_LAUNCHER, i)); i++)
        if (launcher_of(entry)->standard)
            return entry->extension->name;
    return NULL;
}

/* Finds the command of a launcher: `none` needs none, one with %h is a command by itself. */
static enum clopt_status find_command(const struct clopt_registry *registry, const char *launcher,
                                      const char **command, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    *command = strcmp(launcher, "none") == 0 ? "" : launcher;
    if (!**command || strstr(launcher, "%h"))
        return CLOPT_OK;
    if (clopt_registry_find(registry, CLOPT_KIND_LAUNCHER, launcher, &entry, error))
        return clopt_fail(error, error->status,
                          "launcher = %s; or none, or a command with %%h, the host's name",
                          error->message);
    *command = launcher_of(entry)->command;
    return CLOPT_OK;
}

/* Completes what is known of a host; `launcher` is for one that names none, NULL the standard one.
 */
static enum clopt_status complete(const struct clopt_registry *registry,
                                  struct clopt_study_host *host, const char *launcher,
                                  struct clopt_error *error)
{
    const char *command;
    CLOPT_FREED char *named = host->launcher;
    host->launcher = NULL;
    if (named || (!launcher && !(launcher = standard_launcher(registry))))
        launcher = named;
    if (!launcher)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "no plugin has a standard launcher; name one: launcher = NAME");
    CLOPT_TRY(find_command(registry, launcher, &command, error));
    host->launcher = clopt_strdup(command);
    if (host->start_s <= 0)
        host->start_s = START_S;
    if (!host->program)
        host->program = *command ? clopt_strdup("clopt") : realpath("/proc/self/exe", NULL);
    return host->program ? CLOPT_OK
                         : clopt_fail(error, CLOPT_FAILED, "/proc/self/exe: %s", strerror(errno));
}

static enum clopt_status read_host(const struct clopt_study_reading *reading,
                                   const struct clopt_ini_section *section, const char *label)
{
    if (!is_name(label))
        return clopt_fail(reading->error, CLOPT_INVALID, "%s: [host %s]: no name of a host",
                          section->origin, label);
    struct clopt_study *study = reading->study;
    if (study->host_count == CLOPT_MOST_HOSTS)
        return clopt_fail(reading->error, CLOPT_INVALID, "%s: [host %s]: " TOO_MANY,
                          section->origin, label, CLOPT_MOST_HOSTS);
    struct clopt_study_host *host =
        clopt_array_add(&study->hosts, &study->host_count, sizeof *host);
    host->name = clopt_strdup(label);
    CLOPT_TRY(clopt_keys_read(keys, section, NULL, host, reading->error));
    return complete(reading->registry, host, NULL, reading->error)
               ? clopt_study_fail_at(section->origin, section, reading->error)
               : CLOPT_OK;
}

const struct clopt_study_section clopt_section_host = {
    .kind = "host", .label = "NAME", .keys = keys, .is_optional = true, .read = read_host};

/* ---- lists ---- */

struct listing {
    const struct clopt_registry *registry;
    struct clopt_study *study;
    struct clopt_study_host *hosts; /* those of the list */
    size_t count;
    const char *launcher; /* NULL: the standard one */
    struct clopt_error *error;
};

/* Adds a host, as its section says, unless it is there: files have a line for each slot. */
static enum clopt_status choose_host(struct listing *listing, const char *name)
{
    for (size_t i = 0; i < listing->count; i++)
        if (strcmp(listing->hosts[i].name, name) == 0)
            return CLOPT_OK;
    if (!is_name(name))
        return clopt_fail(listing->error, CLOPT_INVALID, "%s: no name of a host", name);
    if (listing->count == CLOPT_MOST_HOSTS)
        return clopt_fail(listing->error, CLOPT_INVALID, TOO_MANY, CLOPT_MOST_HOSTS);
    struct clopt_study_host *known = find_host(listing->study, name);
    struct clopt_study_host *host = clopt_array_add(&listing->hosts, &listing->count, sizeof *host);
    if (known) {
        *host = *known;
        *known = (struct clopt_study_host){.name = clopt_strdup("")};
        return CLOPT_OK;
    }
    host->name = clopt_strdup(name);
    return complete(listing->registry, host, strcmp(name, "localhost") ? listing->launcher : "none",
                    listing->error);
}

/* Adds the hosts of node[1-3,07-09]: `ranges` begins after the bracket. */
static enum clopt_status choose_ranges(struct listing *listing, const char *name, size_t length,
                                       const char *ranges)
{
    size_t inside = strspn(ranges, LIST_CHARACTER), rest = strcspn(ranges, ",");
    for (const char *at = ranges;; at++) {
        char *end;
        unsigned long from = strtoul(at, &end, 10);
        int digits = (int)(end - at);
        unsigned long until = *end == '-' ? strtoul(end + 1, &end, 10) : from;
        if (!digits || digits > MOST_DIGITS || until < from || until - from >= CLOPT_MOST_HOSTS ||
            ranges[inside] != ']')
            return clopt_fail(listing->error, CLOPT_INVALID, "%.*s[%.*s: not such as node[1-4,7]",
                              (int)length, name, (int)(inside > rest ? inside : rest) + 1, ranges);
        for (unsigned long i = from; i <= until; i++) {
            CLOPT_FREED char *host =
                clopt_text_format("%.*s%0*lu%.*s", (int)length, name, digits, i,
                                  (int)strcspn(ranges + inside + 1, ", \t\n"), ranges + inside + 1);
            CLOPT_TRY(choose_host(listing, host));
        }
        at = end;
        if (*at != ',')
            return CLOPT_OK;
    }
}

/* Adds the hosts of a list: names with commas, blanks or line ends between them. */
static enum clopt_status choose_list(struct listing *listing, const char *list)
{
    while (*(list += strspn(list, ", \t\n"))) {
        size_t length = strcspn(list, ", \t\n[");
        const char *end = list + length;
        if (*end == '[') {
            CLOPT_TRY(choose_ranges(listing, list, length, end + 1));
            end += strcspn(end, "]");
            end += strcspn(end, ", \t\n");
        } else {
            CLOPT_FREED char *name = clopt_strndup(list, length);
            CLOPT_TRY(choose_host(listing, name));
        }
        list = end;
    }
    return CLOPT_OK;
}

/* Whether a line of such a file says no more after a name than how many processes the host takes:
 * ":4", "4", "slots=4". */
static bool is_end_of_host(const char *text)
{
    const char *digits = "0123456789";
    if (*text == ':') {
        size_t count = strspn(text + 1, digits);
        if (!count || !strchr(" \t", text[1 + count]))
            return false;
        text += 1 + count;
    }
    while (*(text += strspn(text, " \t"))) {
        size_t word = strcspn(text, " \t");
        if (strspn(text, digits) != word && !memchr(text, '=', word))
            return false;
        text += word;
    }
    return true;
}

/* Adds the hosts of a file, one a line; # begins a comment. */
static enum clopt_status choose_file(struct listing *listing, const char *path)
{
    CLOPT_FREED char *text = NULL;
    enum clopt_status status = clopt_text_read(path, &text, listing->error);
    char *rest = text, *line;
    while (!status && (line = strsep(&rest, "\n"))) {
        line[strcspn(line, "#")] = '\0';
        line = clopt_text_trim(line);
        char *end = line + strcspn(line, " \t:");
        if (!is_end_of_host(end))
            status = clopt_fail(listing->error, CLOPT_INVALID,
                                "%.80s: no name of a host alone, or with a number, such as node1:4",
                                line);
        *end = '\0';
        if (*line && !status)
            status = choose_list(listing, line);
    }
    return status ? clopt_fail_within(listing->error, "%s", path) : CLOPT_OK;
}

/* Returns the first list that a batch system gives for a launcher; appends the names of those that
 * it does not give. */
static const char *find_list(const struct clopt_launcher *launcher, struct clopt_text *missing)
{
    for (const char *const *name = launcher->lists; name && *name; name++) {
        const char *list = getenv(*name);
        if (list && *list)
            return list;
        clopt_text_printf(missing, "%s%s", missing->length ? ", " : "", *name);
    }
    return NULL;
}

static enum clopt_status choose_auto(struct listing *listing)
{
    CLOPT_OWNED(clopt_text) missing = {0};
    const struct clopt_plugin_entry *entry;
    const char *list;
    clopt_registry_load(listing->registry);
    for (size_t i = 0; (entry = clopt_registry_entry(listing->registry, CLOPT_KIND_LAUNCHER, i));
         i++)
        if ((list = find_list(launcher_of(entry), &missing))) {
            listing->launcher = entry->extension->name;
            return *list == '/' ? choose_file(listing, list) : choose_list(listing, list);
        }
    return clopt_fail(listing->error, CLOPT_INVALID,
                      "no batch system says which hosts there are (%s): name them",
                      clopt_text_string(&missing));
}

enum clopt_status clopt_study_choose_hosts(struct clopt_study *study,
                                           const struct clopt_registry *registry, const char *list,
                                           struct clopt_error *error)
{
    struct listing listing = {.registry = registry, .study = study, .error = error};
    struct stat about;
    enum clopt_status status = strcmp(list, "auto") == 0 ? choose_auto(&listing)
                               : stat(list, &about) == 0 && !S_ISDIR(about.st_mode)
                                   ? choose_file(&listing, list)
                                   : choose_list(&listing, list);
    if (!status && !listing.count)
        status = clopt_fail(error, CLOPT_INVALID, "names no host");
    clopt_study_forget_hosts(study);
    study->hosts = listing.hosts;
    study->host_count = listing.count;
    return status ? clopt_fail_within(error, "--hosts=%s", list) : CLOPT_OK;
}
