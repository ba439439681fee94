/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the log of a kernel that checks itself into findings. */
#include "observers/check/findings.h"

#include "text/text.h"

#define MANY_GROUPS 0xfffffu

static const struct {
    const char *name;
    const char *about;
} faults[CLOPT_FAULTS] = {
    [CLOPT_FAULT_OUTSIDE] = {"out-of-bounds", "an access outside of a buffer or an array"},
    [CLOPT_FAULT_UNWRITTEN] = {"uninitialized-read", "a read of what was never written"},
    [CLOPT_FAULT_RACE] = {"data-race", "a data race inside a work-group"},
    [CLOPT_FAULT_RACE_OF_GROUPS] = {"data-race-of-groups", "a data race between work-groups"},
    [CLOPT_FAULT_DIVERGENT] = {"divergent-barrier",
                               "a barrier that not all work-items of a group reach"},
    [CLOPT_FAULT_INPUT_WRITTEN] = {"write-to-input", "a write to a buffer that is only read"},
    [CLOPT_FAULT_DIVISION] = {"division-by-zero", "a division of integers by zero"},
    [CLOPT_FAULT_SHIFT] = {"shift-too-far", "a shift by the width of its type, or more"},
};

const char *clopt_fault_name(enum clopt_fault fault)
{
    return faults[fault].name;
}

const char *clopt_fault_about(enum clopt_fault fault)
{
    return faults[fault].about;
}

/* One entry of the log. */
struct entry {
    const struct clopt_check_program *program;
    const struct clopt_check_site *site;
    enum clopt_fault fault;
    const uint32_t *words;
    int64_t index; /* in bytes */
    uint64_t length;
};

/* Returns the row or member that an access leaves; NULL: it leaves a whole array. */
static const struct clopt_check_row *row_of(const struct entry *entry)
{
    uint32_t row = entry->fault == CLOPT_FAULT_OUTSIDE ? entry->words[12] : 0;
    return row && row <= entry->program->row_count ? &entry->program->rows[row - 1] : NULL;
}

static const char *base_name(const struct entry *entry)
{
    bool told = entry->fault == CLOPT_FAULT_OUTSIDE || entry->fault == CLOPT_FAULT_UNWRITTEN ||
                entry->fault == CLOPT_FAULT_INPUT_WRITTEN;
    int base = told ? (int)entry->words[11] : entry->site->base;
    return base >= 0 && (size_t)base < entry->program->base_count ? entry->program->bases[base].name
                                                                  : NULL;
}

/* Returns the other site of a data race; NULL: not known. */
static const struct clopt_check_site *other_site(const struct entry *entry)
{
    uint32_t site = entry->words[11] & 0xfff;
    bool race = entry->fault == CLOPT_FAULT_RACE || entry->fault == CLOPT_FAULT_RACE_OF_GROUPS;
    return race && site < entry->program->site_count ? &entry->program->sites[site] : NULL;
}

static const char *verb(const struct clopt_check_site *site)
{
    return site->reads && site->writes ? "updates" : site->writes ? "writes" : "reads";
}

/* Says which part of which array an access is to. */
static void say_element(struct clopt_text *text, const struct entry *entry)
{
    const struct clopt_check_row *row = row_of(entry);
    const char *name = row ? row->expression : base_name(entry);
    int64_t size = (int64_t)(row ? row->bytes : entry->site->bytes);
    bool whole = size && entry->index % size == 0 && entry->length % (uint64_t)size == 0;
    clopt_text_printf(text, "%s %" PRId64, whole ? "element" : "byte",
                      whole ? entry->index / size : entry->index);
    clopt_text_printf(text, " of %s", name ? name : "memory");
    if (entry->fault == CLOPT_FAULT_OUTSIDE)
        clopt_text_printf(text, ", which has %" PRIu64,
                          whole ? entry->length / (uint64_t)size : entry->length);
}

static void say_other(struct clopt_text *text, const struct entry *entry)
{
    const struct clopt_check_site *other = other_site(entry);
    uint32_t group = entry->words[11] >> 12, item = entry->words[12];
    if (!other)
        return;
    clopt_text_printf(text, ", which line %u (%s) %s in ", other->line, other->expression,
                      verb(other));
    if (entry->fault == CLOPT_FAULT_RACE_OF_GROUPS && group == MANY_GROUPS)
        clopt_text_append(text, "several work-groups");
    else if (entry->fault == CLOPT_FAULT_RACE_OF_GROUPS)
        clopt_text_printf(text, "work-group %u", group - 1);
    else if (item == CLOPT_WHO_MANY)
        clopt_text_append(text, "several work-items");
    else if (item & CLOPT_WHO_COPY)
        clopt_text_append(text, "the work-group");
    else
        clopt_text_printf(text, "work-item %u of the group", item);
    bool waits = item & CLOPT_WHO_COPY && item != CLOPT_WHO_MANY;
    if (entry->fault == CLOPT_FAULT_RACE)
        clopt_text_append(text, waits ? " without a wait for the copy between"
                                      : " without a barrier between");
}

static void say(struct clopt_text *text, const struct entry *entry)
{
    clopt_text_printf(text, "%s ", entry->site->expression);
    switch (entry->fault) {
    case CLOPT_FAULT_DIVERGENT:
        clopt_text_append(text,
                          "differs between the work-items of a group, and a barrier depends on it");
        break;
    case CLOPT_FAULT_DIVISION:
        clopt_text_append(text, "divides by zero");
        break;
    case CLOPT_FAULT_SHIFT:
        clopt_text_printf(text, "shifts by %" PRId64 " of %" PRIu64 " bits", entry->index,
                          entry->length);
        break;
    default:
        clopt_text_printf(text, "%s ", verb(entry->site));
        say_element(text, entry);
        say_other(text, entry);
        clopt_text_append(text, entry->fault == CLOPT_FAULT_UNWRITTEN ? ", which was never written"
                                : entry->fault == CLOPT_FAULT_INPUT_WRITTEN ? ", an input"
                                                                            : "");
    }
}

/* Finds an earlier finding that is the same but for who and how often. */
static json_t *find_same(const json_t *findings, const struct entry *entry, const char *kernel)
{
    size_t i;
    json_t *finding;
    json_array_foreach(findings, i, finding)
    {
        const char *own[] = {json_string_value(json_object_get(finding, "kernel")),
                             json_string_value(json_object_get(finding, "kind")),
                             json_string_value(json_object_get(finding, "expression"))};
        if (strcmp(own[0], kernel) == 0 && strcmp(own[1], faults[entry->fault].name) == 0 &&
            strcmp(own[2], entry->site->expression) == 0 &&
            json_integer_value(json_object_get(finding, "line")) == (json_int_t)entry->site->line)
            return finding;
    }
    return NULL;
}

/* The bytes that an argument must have for its accesses to be inside; 0: no length is enough. */
static json_int_t needed_bytes(const struct entry *entry)
{
    uint32_t base = entry->words[11], needed = entry->words[13];
    bool longer = entry->fault == CLOPT_FAULT_OUTSIDE && base < entry->program->base_count &&
                  !row_of(entry) && entry->program->bases[base].parameter >= 0;
    return longer && needed != UINT32_MAX ? needed : 0;
}

static json_t *make_finding(const struct entry *entry, const char *kernel)
{
    const uint32_t *w = entry->words;
    const char *name = base_name(entry);
    const struct clopt_check_site *other = other_site(entry);
    struct clopt_text text = {0};
    say(&text, entry);
    CLOPT_FREED char *message = clopt_text_take(&text);
    return json_pack(
        "{s:s,s:s,s:i,s:s,s:s?,s:s?,s:I,s:I,s:I,s:[iii],s:[iii],s:I,s:o}", "kind",
        faults[entry->fault].name, "kernel", kernel, "line", (int)entry->site->line, "expression",
        entry->site->expression, "message", message, "array", name, "byte",
        (json_int_t)entry->index, "bytes", (json_int_t)entry->length, "needed", needed_bytes(entry),
        "global_id", (int)w[5], (int)w[6], (int)w[7], "local_id", (int)w[8], (int)w[9], (int)w[10],
        "count", (json_int_t)w[0], "other",
        other ? json_pack("{s:i,s:s}", "line", (int)other->line, "expression", other->expression)
              : json_null());
}

static void add(json_t *findings, const struct entry *entry, const char *kernel)
{
    json_t *same = find_same(findings, entry, kernel);
    json_t *count = json_object_get(same, "count");
    if (!same)
        json_array_append_new(findings, make_finding(entry, kernel));
    else
        json_integer_set(count, json_integer_value(count) + (json_int_t)entry->words[0]);
}

void clopt_findings_add(json_t *findings, const struct clopt_check_program *program,
                        const char *kernel, const uint32_t *log, bool later)
{
    for (size_t s = 0; s < program->site_count; s++) {
        for (unsigned f = 0; f < CLOPT_FAULTS; f++) {
            const uint32_t *words = log + CLOPT_FINDING_WORDS * (s * CLOPT_FAULTS + f);
            bool shadowed = f == CLOPT_FAULT_RACE || f == CLOPT_FAULT_RACE_OF_GROUPS;
            const struct entry entry = {.program = program,
                                        .site = &program->sites[s],
                                        .fault = (enum clopt_fault)f,
                                        .words = words,
                                        .index = (int64_t)(words[1] | (uint64_t)words[2] << 32),
                                        .length = words[3] | (uint64_t)words[4] << 32};
            if (words[0] && (!later || shadowed))
                add(findings, &entry, kernel);
        }
    }
}
