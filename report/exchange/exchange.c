/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what is written in the formats of other auto-tuners, and prints it. */
#include "exchange/exchange.h"

#include <errno.h>

#include "document/format.h"
#include "file/file.h"
#include "file/folder.h"

#define MOST_LISTED 20

/* A table on one device. */
struct subject {
    size_t table;
    size_t device;
};

struct writing {
    struct clopt_store *store;
    const struct clopt_exchange_format *format;
    const struct clopt_report_exchange *request;
    const struct clopt_results *results;
    struct clopt_file_set files;
    struct subject *subjects; /* that are asked for, and have something to show */
    size_t count;
};

/* ---- which ones ---- */

size_t clopt_exchange_count(const struct clopt_results_table *table, size_t device,
                            enum clopt_exchange_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < table->row_count; i++)
        count += clopt_exchange_state(&table->rows[i].cells[device]) == state;
    return count;
}

const struct clopt_exchange_format *clopt_exchange_find(const struct clopt_registry *registry,
                                                        const char *name, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry = NULL;
    if (clopt_registry_find(registry, CLOPT_KIND_FORMAT, name, &entry, error))
        return NULL;
    const struct clopt_format *format = entry->extension->operations;
    if (!format->exchange)
        clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: a format of documents alone: %s", name,
                   entry->path);
    return format->exchange;
}

void clopt_exchange_append_options(struct clopt_text *text, const char *device, const char *problem,
                                   const char *kernel)
{
    clopt_text_append(text, "--device=");
    clopt_text_append_word(text, device);
    clopt_text_append(text, " --problem=");
    clopt_text_append_word(text, problem);
    clopt_text_append(text, " --kernel=");
    clopt_text_append_word(text, kernel);
}

/* Adds what one may choose among to a message. */
static void list_subject(struct clopt_text *list, const struct writing *writing,
                         struct subject subject)
{
    const struct clopt_results_table *table = &writing->results->tables[subject.table];
    clopt_text_append(list, "\n  ");
    clopt_exchange_append_options(list, writing->results->devices[subject.device].label,
                                  writing->results->problems[table->problem].label, table->kernel);
}

/* Finds the subjects that are asked for; `list` gets those, or all if there are none. */
static void find_subjects(struct writing *writing, struct clopt_text *list)
{
    const struct clopt_results *results = writing->results;
    const struct clopt_selection *selection = &writing->request->selection;
    CLOPT_OWNED(clopt_text) all = {0};
    size_t most = results->table_count * results->device_count;
    size_t total = 0;
    writing->subjects = clopt_calloc(most + 1, sizeof *writing->subjects);
    for (size_t i = 0; i < most; i++) {
        struct subject subject = {i / results->device_count, i % results->device_count};
        const struct clopt_results_table *table = &results->tables[subject.table];
        if (clopt_table_is_combined(table) ||
            !(clopt_exchange_count(table, subject.device, CLOPT_EXCHANGE_RIGHT) ||
              clopt_exchange_count(table, subject.device, CLOPT_EXCHANGE_FAILED)))
            continue;
        if (++total <= MOST_LISTED)
            list_subject(&all, writing, subject);
        if (!clopt_selection_has(selection, results, table, subject.device))
            continue;
        writing->subjects[writing->count++] = subject;
        if (writing->count <= MOST_LISTED)
            list_subject(list, writing, subject);
    }
    if (!writing->count)
        clopt_text_append(list, clopt_text_string(&all));
    if ((writing->count ? writing->count : total) > MOST_LISTED)
        clopt_text_append(list, "\n  ...");
}

/* Refuses none, and several that would have to be one. */
static enum clopt_status choose(struct writing *writing, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) list = {0};
    find_subjects(writing, &list);
    if (!writing->count && !list.length)
        return clopt_fail(error, CLOPT_FAILED,
                          "nothing to write: no variant has been measured or has failed");
    if (!writing->count)
        return clopt_fail(error, CLOPT_INVALID,
                          "no results of that device, problem and kernel; the store has:%s",
                          clopt_text_string(&list));
    if (writing->count == 1 || writing->request->folder || !writing->format->name ||
        (writing->request->visit && !writing->request->whole))
        return CLOPT_OK; /* it is not to be one document on a stream */
    char folder[80] = "";
    if (writing->format->option && !writing->request->whole)
        snprintf(folder, sizeof folder, ", or write all %zu with --%s=FOLDER", writing->count,
                 writing->format->option);
    return clopt_fail(error, CLOPT_INVALID,
                      "%s is about one device, problem and kernel: choose one%s:%s",
                      writing->request->whole ? "a simulated search" : writing->format->name,
                      folder, clopt_text_string(&list));
}

/* ---- printing ---- */

static void append_json(struct clopt_text *text, const json_t *json)
{
    /* 15 digits are all that a double keeps of a decimal number. */
    CLOPT_FREED char *line = json_dumps(json, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    clopt_text_append(text, line);
}

static void append_key(struct clopt_text *text, const char *key)
{
    json_auto_t *json = json_string(key);
    append_json(text, json);
    clopt_text_append(text, ": ");
}

/* Appends an array or object with a line for each item. */
static void append_items(struct clopt_text *text, const json_t *items)
{
    size_t index;
    const char *key;
    json_t *item;
    const char *separator = "\n";
    clopt_text_append(text, json_is_array(items) ? "[" : "{");
    json_array_foreach(items, index, item)
    {
        clopt_text_append(text, separator);
        append_json(text, item);
        separator = ",\n";
    }
    json_object_foreach((json_t *)items, key, item)
    {
        clopt_text_append(text, separator);
        append_key(text, key);
        append_json(text, item);
        separator = ",\n";
    }
    clopt_text_append(text, json_is_array(items) ? "\n]" : "\n}");
}

/* Appends a document: a line for each member, and for each item of the last one. */
static void append_document(struct clopt_text *text, const json_t *document)
{
    const char *key;
    json_t *member;
    size_t left = json_object_size(document);
    clopt_text_append(text, "{\n");
    json_object_foreach((json_t *)document, key, member)
    {
        append_key(text, key);
        if (--left) {
            append_json(text, member);
            clopt_text_append(text, ",\n");
        } else
            append_items(text, member);
    }
    clopt_text_append(text, "\n}\n");
}

/* Says what a document lacks. */
static void tell_missing(const struct writing *writing, const struct clopt_exchange *exchange)
{
    static const struct {
        enum clopt_exchange_state state;
        const char *reason;
    } missing[] = {
        {CLOPT_EXCHANGE_UNMEASURED, "not measured yet"},
        {CLOPT_EXCHANGE_UNVERIFIED, "measured, but not verified"},
    };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        size_t count =
            clopt_exchange_count(exchange->table, exchange->device_number, missing[i].state);
        if (count)
            clopt_text_print(
                writing->request->notices, "clopt: %s: %s on %s: %zu variant%s left out: %s\n",
                exchange->problem->title, exchange->table->kernel, exchange->device->label, count,
                count == 1 ? "" : "s", missing[i].reason);
    }
}

static enum clopt_status print_document(struct writing *writing,
                                        const struct clopt_exchange *exchange,
                                        const json_t *document, struct clopt_error *error)
{
    const char *parts[] = {exchange->problem->app, exchange->problem->label,
                           exchange->table->kernel, exchange->device->label};
    CLOPT_OWNED(clopt_text) text = {0}, stem = {0};
    append_document(&text, document);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        clopt_file_name_append(&stem, parts[i]);
    if (writing->request->folder)
        clopt_report_folder_add(&writing->files, clopt_text_string(&stem), writing->format->ending,
                                &text);
    else if (fwrite(text.data, 1, text.length, writing->request->stream) != text.length)
        return clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    tell_missing(writing, exchange);
    return CLOPT_OK;
}

/* Refuses a space that has not been measured as a whole. */
static enum clopt_status check_whole(const struct clopt_exchange *exchange,
                                     struct clopt_error *error)
{
    size_t missing =
        clopt_exchange_count(exchange->table, exchange->device_number, CLOPT_EXCHANGE_UNMEASURED) +
        clopt_exchange_count(exchange->table, exchange->device_number, CLOPT_EXCHANGE_UNVERIFIED);
    int64_t left_out = exchange->results->run.not_chosen + exchange->results->run.not_reached;
    if (left_out)
        return clopt_fail(error, CLOPT_INVALID,
                          "its run left out %" PRId64 " trial%s of the study, as a sample or for "
                          "lack of time: a search is simulated where all variants were tried",
                          left_out, left_out == 1 ? "" : "s");
    if (strstr(exchange->results->run.config, "\n[search]\n"))
        return clopt_fail(error, CLOPT_INVALID,
                          "its run has searched: another search is simulated where all variants "
                          "were tried");
    if (missing)
        return clopt_fail(error, CLOPT_INVALID,
                          "%zu of %zu variants %s not measured, or not verified: a search is "
                          "simulated where all were; finish the study first",
                          missing, exchange->table->row_count, missing == 1 ? "is" : "are");
    return CLOPT_OK;
}

static enum clopt_status write_subject(struct writing *writing, struct subject subject,
                                       struct clopt_error *error)
{
    const struct clopt_results *results = writing->results;
    const struct clopt_results_table *table = &results->tables[subject.table];
    struct clopt_exchange exchange = {
        .store = writing->store,
        .results = results,
        .problem = &results->problems[table->problem],
        .table = table,
        .device = &results->devices[subject.device],
        .device_number = subject.device,
        .user = writing->request->user,
    };
    json_auto_t *document = NULL;
    if (writing->request->whole)
        CLOPT_TRY(check_whole(&exchange, error));
    CLOPT_TRY(clopt_tunables_init(&exchange.tunables, table, subject.device, error));
    enum clopt_status status = writing->format->make(&exchange, &document, error);
    if (!status && writing->request->visit)
        status = writing->request->visit(writing->request->user, document, error);
    else if (!status && document)
        status = print_document(writing, &exchange, document, error);
    clopt_tunables_fini(&exchange.tunables);
    return status;
}

static void writing_fini(struct writing *writing)
{
    clopt_file_set_fini(&writing->files);
    free(writing->subjects);
}

enum clopt_status clopt_exchange_write(struct clopt_store *store,
                                       const struct clopt_exchange_format *format,
                                       const struct clopt_report_exchange *request,
                                       struct clopt_error *error)
{
    CLOPT_HELD(clopt_results) results = NULL;
    CLOPT_OWNED(writing) writing = {.store = store, .format = format, .request = request};
    if (!format->make)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "this format lacks the operation make");
    CLOPT_TRY(clopt_results_gather(store, false, &results, error));
    writing.results = results;
    if (results->objective != CLOPT_OBJECTIVE_TIME)
        return clopt_fail(error, CLOPT_INVALID,
                          "this format has times alone, and the store's run measured %s; "
                          "--json and --csv have it",
                          clopt_objective_words(results->objective)->name);
    CLOPT_TRY(choose(&writing, error));
    if (request->folder)
        CLOPT_TRY(clopt_folder_create(request->folder, error));
    for (size_t i = 0; i < writing.count; i++)
        CLOPT_TRY(write_subject(&writing, writing.subjects[i], error));
    return request->folder
               ? clopt_report_folder_write(&writing.files, request->folder, request->stream, error)
               : CLOPT_OK;
}
