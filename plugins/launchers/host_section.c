/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [host NAME]. */
#include "launchers/host.h"

#include <errno.h>

#include "study/launcher.h"

#define AT(member) offsetof(struct clopt_study_host, member)
#define START      "90"
#define START_S    90

static const struct clopt_key keys[] = {
    CLOPT_KEY(
        "launcher", NAME, TEXT, "none, <launcher>", NULL, AT(launcher),
        "what starts a program there: a launcher (`clopt plugins --kind=launcher`), none, or a "
        "command with %h [the standard one]"),
    CLOPT_KEY("program", VALUE, TEXT, NULL, NULL, AT(program), "clopt there [clopt]"),
    CLOPT_KEY("start", VALUE, TIME, NULL, START "s", AT(start_s),
              "in which it has to become ready, besides the time that files take [" START "s]"),
    {0},
};

bool clopt_host_name_is_legal(const char *name)
{
    return *name && *name != '-' && strlen(name) < 256 &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                             "0123456789._:@-")] == '\0';
}

/* Finds a launcher; without a name, the standard one. */
static enum clopt_status find_launcher(const struct clopt_registry *registry, const char *name,
                                       const struct clopt_launcher **launcher,
                                       struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; !name && (entry = clopt_registry_entry(registry, CLOPT_KIND_LAUNCHER, i));
         i++)
        if ((*launcher = entry->extension->operations)->standard)
            return CLOPT_OK;
    if (!name)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "no plugin has a standard launcher; name one: launcher = NAME");
    if (clopt_registry_find(registry, CLOPT_KIND_LAUNCHER, name, &entry, error))
        return clopt_fail(error, error->status,
                          "launcher = %s; or none, or a command with %%h, the host's name",
                          error->message);
    *launcher = entry->extension->operations;
    return CLOPT_OK;
}

enum clopt_status clopt_host_complete(const struct clopt_registry *registry,
                                      struct clopt_study *study, struct clopt_study_host *host,
                                      const char *launcher, struct clopt_error *error)
{
    const struct clopt_launcher *found = NULL;
    CLOPT_FREED char *named = host->launcher;
    host->launcher = NULL;
    launcher = named ? named : launcher;
    bool none = launcher && strcmp(launcher, "none") == 0; /* or it is a command by itself: */
    if (!none && !(launcher && strstr(launcher, "%h")))
        CLOPT_TRY(find_launcher(registry, launcher, &found, error));
    CLOPT_TRY(clopt_launcher_transport(registry, &study->transport, error));
    host->launcher = clopt_strdup(none ? "" : found ? found->command : launcher);
    if (host->start_s <= 0)
        host->start_s = START_S;
    if (!host->program)
        host->program = *host->launcher ? clopt_strdup("clopt") : realpath("/proc/self/exe", NULL);
    return host->program ? CLOPT_OK
                         : clopt_fail(error, CLOPT_FAILED, "/proc/self/exe: %s", strerror(errno));
}

void clopt_study_hosts_destroy(struct clopt_study_host *hosts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free(hosts[i].name);
        free(hosts[i].launcher);
        free(hosts[i].program);
    }
    free(hosts);
}

static enum clopt_status read_host(const struct clopt_study_reading *reading,
                                   const struct clopt_ini_section *section, const char *label)
{
    if (!clopt_host_name_is_legal(label))
        return clopt_fail(reading->error, CLOPT_INVALID, "%s: [host %s]: no name of a host",
                          section->origin, label);
    struct clopt_study *study = reading->study;
    if (study->host_count == CLOPT_MOST_HOSTS)
        return clopt_fail(reading->error, CLOPT_INVALID, "%s: [host %s]: more than %d hosts",
                          section->origin, label, CLOPT_MOST_HOSTS);
    struct clopt_study_host *host =
        clopt_array_add(&study->hosts, &study->host_count, sizeof *host);
    study->hosts_destroy = clopt_study_hosts_destroy;
    host->name = clopt_strdup(label);
    CLOPT_TRY(clopt_keys_read(keys, section, NULL, host, reading->error));
    return clopt_host_complete(reading->registry, study, host, NULL, reading->error)
               ? clopt_study_fail_at(section->origin, section, reading->error)
               : CLOPT_OK;
}

const struct clopt_study_section clopt_section_host = {
    .kind = "host", .label = "NAME", .keys = keys, .is_optional = true, .read = read_host};
