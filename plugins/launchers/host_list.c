/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads lists of hosts as launchers and batch systems write them. */
#include "launchers/host.h"

#include <sys/stat.h>

#include "file/file.h"
#include "study/launcher.h"

#define MOST_DIGITS    9
#define LIST_CHARACTER "0123456789-,"

static struct clopt_study_host *find_host(struct clopt_study_host *hosts, size_t count,
                                          const char *name)
{
    while (count && strcmp(hosts->name, name) != 0)
        hosts++, count--;
    return count ? hosts : NULL;
}

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
    if (find_host(listing->hosts, listing->count, name))
        return CLOPT_OK;
    if (!clopt_host_name_is_legal(name))
        return clopt_fail(listing->error, CLOPT_INVALID, "%s: no name of a host", name);
    if (listing->count == CLOPT_MOST_HOSTS)
        return clopt_fail(listing->error, CLOPT_INVALID, "more than %d hosts", CLOPT_MOST_HOSTS);
    struct clopt_study *study = listing->study;
    struct clopt_study_host *known = find_host(study->hosts, study->host_count, name);
    struct clopt_study_host *host = clopt_array_add(&listing->hosts, &listing->count, sizeof *host);
    if (known) {
        *host = *known;
        *known = (struct clopt_study_host){.name = clopt_strdup("")};
        return CLOPT_OK;
    }
    host->name = clopt_strdup(name);
    return clopt_host_complete(listing->registry, study, host,
                               strcmp(name, "localhost") ? listing->launcher : "none",
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
    for (size_t i = 0; (entry = clopt_registry_entry(listing->registry, CLOPT_KIND_LAUNCHER, i));
         i++)
        if ((list = find_list(entry->extension->operations, &missing))) {
            listing->launcher = entry->extension->name;
            return *list == '/' ? choose_file(listing, list) : choose_list(listing, list);
        }
    return clopt_fail(listing->error, CLOPT_INVALID,
                      "no batch system says which hosts there are (%s): name them",
                      clopt_text_string(&missing));
}

enum clopt_status clopt_hosts_choose(struct clopt_study *study,
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
    clopt_study_hosts_destroy(study->hosts, study->host_count);
    study->hosts = listing.hosts;
    study->host_count = listing.count;
    study->hosts_destroy = clopt_study_hosts_destroy;
    return status ? clopt_fail_within(error, "--hosts=%s", list) : CLOPT_OK;
}
