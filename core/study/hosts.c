/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [host NAME], and lists of hosts as launchers write them. */
#include <errno.h>
#include <sys/stat.h>

#include "file/file.h"
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
     "what starts a program there: ssh (the default), srun, none, or a command with %h"},
    {"program", CLOPT_KEY_TEXT, NULL, NULL, AT(program), "clopt there [clopt]"},
    {"start", CLOPT_KEY_SECONDS, NULL, START "s", AT(start_s),
     "in which it has to become ready, besides the time that files take [" START "s]"},
    {NULL, CLOPT_KEY_OWN, NULL, NULL, 0, NULL},
};

/* What the launchers are that are known by name. */
static const char *const launchers[][2] = {
    {"ssh", "ssh -T -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=3 "
            "-o ServerAliveCountMax=2 %h"},
    {"srun", "srun --unbuffered --overlap --nodes=1 --ntasks=1 --nodelist=%h"},
    {"none", ""},
};

/* Where a batch system says which hosts a job has: a list, or the path of a file of names. */
static const struct {
    const char *variable, *launcher;
} batches[] = {
    {"SLURM_JOB_NODELIST", "srun"}, {"PBS_NODEFILE", "ssh"}, {"LSB_DJOB_HOSTFILE", "ssh"}};

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

/* Puts the command of a launcher that is known by name in its place. */
static enum clopt_status complete(struct clopt_study_host *host, const char *launcher,
                                  struct clopt_error *error)
{
    const char *said = host->launcher ? host->launcher : launcher, *line = said;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strcmp(said, launchers[i][0]) == 0)
            line = launchers[i][1];
    if (line == said && !strstr(said, "%h"))
        return clopt_fail(error, CLOPT_INVALID,
                          "launcher = %s: has no %%h, which becomes the host's name; ssh, srun and "
                          "none are known without",
                          said);
    char *own = clopt_strdup(line);
    free(host->launcher);
    host->launcher = own;
    if (host->start_s <= 0)
        host->start_s = START_S;
    if (!host->program)
        host->program = *line ? clopt_strdup("clopt") : realpath("/proc/self/exe", NULL);
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
    return complete(host, "ssh", reading->error)
               ? clopt_study_fail_at(section->origin, section, reading->error)
               : CLOPT_OK;
}

const struct clopt_study_section clopt_section_host = {
    .kind = "host", .label = "NAME", .keys = keys, .is_optional = true, .read = read_host};

/* ---- lists ---- */

struct listing {
    struct clopt_study *study;
    struct clopt_study_host *hosts; /* those of the list */
    size_t count;
    const char *launcher;
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
    return complete(host, strcmp(name, "localhost") ? listing->launcher : "none", listing->error);
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

static enum clopt_status choose_auto(struct listing *listing)
{
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        const char *value = getenv(batches[i].variable);
        listing->launcher = batches[i].launcher;
        if (value && *value)
            return *value == '/' ? choose_file(listing, value) : choose_list(listing, value);
    }
    return clopt_fail(listing->error, CLOPT_INVALID,
                      "no batch system says which hosts there are (SLURM_JOB_NODELIST, "
                      "PBS_NODEFILE, LSB_DJOB_HOSTFILE): name them");
}

enum clopt_status clopt_study_choose_hosts(struct clopt_study *study, const char *list,
                                           struct clopt_error *error)
{
    struct listing listing = {.study = study, .launcher = "ssh", .error = error};
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
