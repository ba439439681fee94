/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives kernels that check themselves their shadows, and reads what they found. */
#include "opencl/name.h"
#include "text/build_options.h"
#include "text/json.h"

#include "observers/check/checking.h"
#include "observers/check/findings.h"
#include "observers/check/idle.h"
#include "worker/session.h"

#define TABLE_HEAD 4 /* words before those of bases */
#define BASE_WORDS 4

/* One kernel of the app. */
struct checked {
    struct clopt_check_program check;
    cl_program program; /* NULL: not launched so far */
    cl_mem log;
    size_t log_words;               /* without what is spare after them */
    struct clopt_launched launched; /* in the first pass */
};

struct checking {
    struct checked *kernels; /* by their number */
    size_t kernel_count;
    char *options; /* of the variant, without macros: they are expanded */
    cl_mem shadow;
    uint64_t window; /* granules that it has room for */
    uint64_t first;  /* the one with which it begins in this pass */
    uint64_t most;   /* granules of a launch so far */
    cl_mem written;  /* a byte a granule of what runs have to write; NULL: nothing yet */
    uint64_t written_at[CLOPT_MAX_BUFFERS];
    bool permuted[CLOPT_MAX_BUFFERS]; /* by a layout: what is written of it is not known */
    cl_mem table;
    unsigned granule;
    bool mixes;            /* as in settings */
    unsigned shadow_words; /* of a granule */
};

/* ---- programs ---- */

static char *drop_macros(const char *options)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    struct clopt_text text = {0};
    clopt_build_options_split(options, &words);
    for (size_t i = 0; i < words.count; i++)
        if (!clopt_option_value(words.words[i], "-D"))
            clopt_text_printf(&text, "%s%s", text.length ? " " : "", words.words[i]);
    clopt_text_append(&text, " -w"); /* the warnings are not the user's */
    return clopt_text_take(&text);
}

/* Rewrites all kernels, with granules of one size. */
static enum clopt_status make_programs(struct clopt_session *session, struct checking *checking)
{
    const struct clopt_variant *variant = &session->variant;
    for (size_t k = 0; k < checking->kernel_count; k++) {
        struct clopt_check_program *check = &checking->kernels[k].check;
        check->granule = checking->granule;
        check->mixes = checking->mixes;
        CLOPT_HELD(clopt_source) source = NULL;
        CLOPT_TRY(clopt_source_create(session->workspace->source.path, variant->source, NULL,
                                      variant->dialect, session->app->kernels[k].name, &source,
                                      session->error));
        CLOPT_TRY(clopt_check_make(source, check, session->error));
        if (check->granule < checking->granule) { /* those before this one, too */
            checking->granule = check->granule;
            for (size_t i = 0; i <= k; i++)
                clopt_check_program_fini(&checking->kernels[i].check);
            k = (size_t)-1;
        }
    }
    return CLOPT_OK;
}

static enum clopt_status make_buffer(const struct clopt_session *session, size_t bytes,
                                     const char *what, cl_mem *buffer)
{
    cl_int code;
    *buffer =
        clCreateBuffer(session->workspace->context.context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        *buffer = NULL;
    enum clopt_status status = clopt_check_cl(session->error, "clCreateBuffer", code);
    return status ? clopt_fail_within(session->error, "%s of the checker, %zu bytes", what, bytes)
                  : CLOPT_OK;
}

/* Fills a part of a buffer with a byte. */
static enum clopt_status fill(const struct clopt_session *session, cl_mem buffer,
                              unsigned char byte, size_t offset, size_t bytes)
{
    if (!bytes)
        return CLOPT_OK;
    cl_int code = clEnqueueFillBuffer(session->workspace->context.queue, buffer, &byte, 1, offset,
                                      bytes, 0, NULL, NULL);
    return clopt_check_cl(session->error, "clEnqueueFillBuffer", code);
}

/* Says why the program that checks itself could not be built: where the variant's own cannot be
 * either, that is why. */
static enum clopt_status fail_build(struct clopt_session *session, unsigned number,
                                    enum clopt_status status, const char *log)
{
    const char *kernel = session->app->kernels[number].name;
    cl_program own = NULL;
    CLOPT_FREED char *message = clopt_strdup(session->error->message);
    if (clopt_build_make(&session->build, &own, session->error))
        return clopt_fail_within(session->error, "%s does not build on %s", kernel,
                                 session->workspace->context.info.name);
    clReleaseProgram(own);
    return clopt_fail(session->error, status, "%s: the program that checks itself: %.400s", kernel,
                      log ? log : message);
}

static enum clopt_status checking_build(struct clopt_session *session, unsigned kernel)
{
    struct checking *checking = session->observing;
    struct checked *own = &checking->kernels[kernel];
    const char *name = own->check.kernel;
    cl_int code = CL_SUCCESS;
    if (own->program)
        return CLOPT_OK;
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_BUILD);
    /* Intel's vectorizer computes some of these programs wrongly, which are full of conditions. */
    const char *scalar = session->workspace->context.traits->scalar;
    CLOPT_FREED char *source = clopt_text_format("%s%s", scalar ? scalar : "", own->check.source);
    CLOPT_OWNED(clopt_build) build = {.context = &session->workspace->context, .source = source};
    build.options = checking->options;
    build.launch = name;
    clopt_build_init(&build);
    enum clopt_status status = clopt_build_make(&build, &own->program, session->error);
    if (status)
        return fail_build(session, kernel, status, build.log);
    session->kernels[kernel] = clCreateKernel(own->program, name, &code);
    if (clopt_check_cl(session->error, "clCreateKernel", code))
        return clopt_fail_within(session->error, "%s", session->app->kernels[kernel].name);
    clopt_workspace_begin(session->workspace, CLOPT_STAGE_LAUNCH);
    own->log_words = CLOPT_FINDING_WORDS * CLOPT_FAULTS * own->check.site_count;
    own->log_words = (own->log_words + CLOPT_CHECK_COUNTS + 63) / 64 * 64;
    size_t bytes = 4 * own->log_words + 2 * own->check.most;
    status = make_buffer(session, bytes, "findings", &own->log);
    return status ? clopt_fail_within(session->error, "%s", session->app->kernels[kernel].name)
                  : fill(session, own->log, 0, 0, bytes);
}

/* ---- launches ---- */

static uint64_t granules(const struct checking *checking, uint64_t bytes)
{
    return (bytes + checking->granule - 1) / checking->granule;
}

/* Makes room for what runs have written of all buffers, once it is known which there are. */
static enum clopt_status make_written(struct clopt_session *session)
{
    struct checking *checking = session->observing;
    uint64_t count = 0;
    if (checking->written)
        return CLOPT_OK;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS; id++) {
        const struct clopt_device_buffer *buffer = &session->buffers->items[id];
        checking->written_at[id] = count;
        if (buffer->name && !buffer->is_image)
            count += granules(checking, buffer->bytes);
    }
    CLOPT_TRY(make_buffer(session, count + 1, "marks", &checking->written));
    return fill(session, checking->written, 0, 0, count + 1);
}

/* What a launch needs to know of bases. */
struct layout {
    cl_ulong table[TABLE_HEAD + BASE_WORDS * CLOPT_MOST_BASES];
    uint64_t shadow_at[CLOPT_MAX_BUFFERS]; /* 1 + granule, where the buffer has one */
    uint64_t count;                        /* granules */
};

static void lay_out_buffer(struct clopt_session *session, unsigned id, struct layout *layout,
                           cl_ulong *own, bool permuted)
{
    struct checking *checking = session->observing;
    const struct clopt_device_buffer *buffer =
        permuted ? &session->buffers->duplicates[id].buffer : &session->buffers->items[id];
    enum clopt_buffer_use use = session->buffers->items[id].use;
    if (!layout->shadow_at[id]) {
        layout->shadow_at[id] = 1 + layout->count;
        layout->count += use == CLOPT_INPUT ? 0 : granules(checking, buffer->bytes);
    }
    checking->permuted[id] |= permuted;
    bool tracked = !permuted && (use == CLOPT_OUTPUT || use == CLOPT_SCRATCH);
    own[0] = buffer->bytes;
    own[1] = layout->shadow_at[id] - 1;
    own[2] = checking->written_at[id];
    own[3] = use == CLOPT_INPUT ? CLOPT_BASE_INPUT
             : tracked          ? CLOPT_BASE_TRACKED
             : permuted         ? 0
                                : CLOPT_BASE_NOTED;
}

/* Says of all bases where they have their shadows. */
static void lay_out(struct clopt_session *session, const struct clopt_check_program *check,
                    const struct clopt_asked_launch *launch, struct layout *layout)
{
    const struct clopt_argument *arguments = launch->arguments;
    const struct checking *checking = session->observing;
    uint64_t group = 0; /* granules of a work-group's own memory */
    for (size_t b = 0; b < check->base_count; b++) {
        const struct clopt_check_base *base = &check->bases[b];
        cl_ulong *own = &layout->table[TABLE_HEAD + BASE_WORDS * b];
        size_t number = (size_t)base->parameter;
        bool given = base->parameter >= 0 && number < launch->count;
        own[0] = base->bytes;
        if (given && arguments[number].kind == CLOPT_ARGUMENT_BUFFER)
            lay_out_buffer(session, arguments[number].buffer, layout, own,
                           clopt_launch_layout(launch, number) != NULL);
        else if (given && base->space == CLOPT_SPACE_LOCAL)
            own[0] = clopt_local_bytes(launch->change, launch->change->added_count,
                                       (unsigned)number, arguments[number].bytes);
        else if (base->parameter >= 0 && number >= launch->count &&
                 number - launch->count < launch->change->added_count)
            own[0] = clopt_added_value(launch->ndrange, launch->change, number - launch->count, 0);
        if (base->space == CLOPT_SPACE_CONSTANT)
            own[3] = CLOPT_BASE_INPUT;
        if (base->space == CLOPT_SPACE_LOCAL) {
            own[1] = group;
            own[3] = CLOPT_BASE_OF_GROUP;
            group += granules(checking, own[0]);
        }
    }
    for (size_t b = 0; b < check->base_count; b++)
        if (check->bases[b].space == CLOPT_SPACE_LOCAL)
            layout->table[TABLE_HEAD + BASE_WORDS * b + 1] += layout->count;
    layout->table[3] = group;
}

static uint64_t group_count(const struct clopt_ndrange *range)
{
    uint64_t count = 1;
    for (unsigned d = 0; d < range->dimensions; d++)
        count *= range->global[d] / (range->local[d] ? range->local[d] : 1);
    return count;
}

static enum clopt_status set_arguments(struct clopt_session *session, unsigned kernel, size_t first)
{
    struct checking *checking = session->observing;
    cl_mem *added[CLOPT_CHECK_ADDED] = {&checking->kernels[kernel].log, &checking->shadow,
                                        &checking->written, &checking->table};
    for (unsigned i = 0; i < CLOPT_CHECK_ADDED; i++)
        CLOPT_TRY(clopt_check_cl(session->error, "clSetKernelArg of the checker",
                                 clSetKernelArg(session->kernels[kernel], (cl_uint)(first + i),
                                                sizeof(cl_mem), added[i])));
    return CLOPT_OK;
}

static enum clopt_status checking_launch(struct clopt_session *session,
                                         const struct clopt_asked_launch *launch,
                                         struct clopt_ndrange *range)
{
    struct checking *checking = session->observing;
    struct checked *own = &checking->kernels[launch->kernel];
    CLOPT_TRY(make_written(session));
    if (!checking->first)
        clopt_launched_add(&own->launched, range);
    CLOPT_FREED struct layout *layout = clopt_calloc(1, sizeof *layout);
    lay_out(session, &own->check, launch, layout);
    uint64_t all = layout->count + layout->table[3] * group_count(range);
    uint64_t left = all > checking->first ? all - checking->first : 0;
    layout->table[0] = checking->first;
    layout->table[1] = left < checking->window ? left : checking->window;
    layout->table[2] = own->log_words;
    checking->most = all > checking->most ? all : checking->most;
    cl_int code = clEnqueueWriteBuffer(session->workspace->context.queue, checking->table, CL_TRUE,
                                       0, sizeof layout->table, layout->table, 0, NULL, NULL);
    CLOPT_TRY(clopt_check_cl(session->error, "clEnqueueWriteBuffer", code));
    CLOPT_TRY(fill(session, checking->shadow, 0, 0, layout->table[1] * checking->shadow_words * 4));
    return set_arguments(session, launch->kernel, launch->count + launch->change->added_count);
}

static enum clopt_status checking_write(struct clopt_session *session, unsigned buffer,
                                        size_t offset, size_t bytes, const void *source)
{
    struct checking *checking = session->observing;
    (void)source;
    CLOPT_TRY(make_written(session));
    uint64_t begin = offset / checking->granule, end = granules(checking, offset + bytes);
    return fill(session, checking->written, 1, checking->written_at[buffer] + begin, end - begin);
}

/* ---- the whole ---- */

static enum clopt_status start(struct clopt_session *session, const json_t *settings)
{
    struct checking *checking = clopt_calloc(1, sizeof *checking);
    const json_t *mib = json_object_get(settings, "shadow_mib");
    uint64_t shadow_bytes = (mib ? (uint64_t)json_integer_value(mib) : CLOPT_SHADOW_MIB) << 20;
    session->observer = &clopt_checker;
    session->observing = checking;
    checking->granule = 8;
    checking->mixes = json_is_true(json_object_get(settings, "mixes"));
    checking->shadow_words = checking->mixes ? CLOPT_MIXED_WORDS : CLOPT_SHADOW_WORDS;
    while (session->app->kernels[checking->kernel_count].name)
        checking->kernel_count++;
    checking->kernels = clopt_calloc(checking->kernel_count, sizeof *checking->kernels);
    checking->options = drop_macros(session->variant.options);
    uint64_t most = session->workspace->context.info.max_allocation_bytes;
    if (most && shadow_bytes > most)
        shadow_bytes = most;
    checking->window = shadow_bytes / (4 * checking->shadow_words);
    CLOPT_TRY(make_programs(session, checking));
    CLOPT_TRY(make_buffer(session, checking->window * 4 * checking->shadow_words + 4, "shadows",
                          &checking->shadow));
    return make_buffer(session, sizeof((struct layout *)0)->table, "table", &checking->table);
}

/* Reads what the kernels of a run have found, and forgets it. */
static enum clopt_status collect(struct clopt_session *session, bool later, json_t *report)
{
    struct checking *checking = session->observing;
    for (unsigned k = 0; k < checking->kernel_count; k++) {
        struct checked *own = &checking->kernels[k];
        if (!own->program)
            continue;
        CLOPT_FREED uint32_t *log = clopt_calloc(own->log_words, sizeof *log);
        cl_int code = clEnqueueReadBuffer(session->workspace->context.queue, own->log, CL_TRUE, 0,
                                          4 * own->log_words, log, 0, NULL, NULL);
        CLOPT_TRY(clopt_check_cl(session->error, "clEnqueueReadBuffer", code));
        clopt_findings_add(json_object_get(report, "findings"), &own->check,
                           session->app->kernels[k].name, log, later);
        if (!later)
            clopt_idle_add(json_object_get(report, "idle"), &own->check,
                           session->app->kernels[k].name, log,
                           log + own->log_words - CLOPT_CHECK_COUNTS, &own->launched);
        CLOPT_TRY(fill(session, own->log, 0, 0, 4 * own->log_words));
    }
    return CLOPT_OK;
}

/* Names the outputs of which the run has not written all, and the results of which it has written
 * nothing. */
static enum clopt_status find_unwritten(const struct clopt_session *session, json_t *report)
{
    struct checking *checking = session->observing;
    json_t *unwritten = json_object_get(report, "unwritten");
    const struct clopt_kernel *kernels = session->app->kernels;
    bool any = false;
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && checking->written; id++) {
        const struct clopt_device_buffer *buffer = &session->buffers->items[id];
        if (!clopt_buffer_is_computed(buffer))
            continue;
        any |= buffer->is_image || checking->permuted[id];
        if (buffer->is_image || !buffer->bytes || checking->permuted[id])
            continue;
        size_t count = granules(checking, buffer->bytes);
        CLOPT_FREED unsigned char *marks = malloc(count);
        CLOPT_NEED(marks, session->error);
        cl_int code =
            clEnqueueReadBuffer(session->workspace->context.queue, checking->written, CL_TRUE,
                                checking->written_at[id], count, marks, 0, NULL, NULL);
        CLOPT_TRY(clopt_check_cl(session->error, "clEnqueueReadBuffer", code));
        if (buffer->use == CLOPT_OUTPUT && memchr(marks, 0, count))
            json_array_append_new(unwritten, json_string(buffer->name));
        any |= memchr(marks, 1, count) != NULL;
        if (!memchr(marks, 1, count))
            clopt_idle_add_result(json_object_get(report, "idle"),
                                  kernels[1].name ? "" : kernels->name, buffer->name);
    }
    json_object_set_new(report, "vacuous", json_boolean(!any));
    return CLOPT_OK;
}

/* Adds how much was looked at. */
static void count(const struct checking *checking, json_int_t passes, json_t *report)
{
    size_t accesses = 0, proven = 0, skipped = 0;
    unsigned skipped_line = 0;
    for (size_t k = 0; k < checking->kernel_count; k++) {
        const struct checked *own = &checking->kernels[k];
        if (!own->program)
            continue;
        accesses += own->check.site_count - own->check.loop_count;
        proven += own->check.proven;
        if (own->check.skipped && !skipped)
            skipped_line = own->check.skipped_line;
        skipped += own->check.skipped;
    }
    json_object_update_new(report,
                           json_pack("{s:I,s:I,s:I,s:i,s:I}", "accesses", (json_int_t)accesses,
                                     "proven", (json_int_t)proven, "skipped", (json_int_t)skipped,
                                     "skipped_line", (int)skipped_line, "passes", passes));
}

/* Names the kinds of findings that there are. */
static json_t *list_kinds(void)
{
    json_t *kinds = json_array();
    for (unsigned i = 0; i < CLOPT_FAULTS; i++)
        clopt_json_append(&kinds, json_pack("{s:s,s:{s:s}}", "id", clopt_fault_name(i),
                                            "shortDescription", "text", clopt_fault_about(i)));
    return kinds;
}

static enum clopt_status run(struct clopt_session *session, const json_t *settings, json_t **report)
{
    json_int_t passes = 0;
    *report =
        json_pack("{s:[],s:[],s:[],s:o}", "findings", "unwritten", "idle", "kinds", list_kinds());
    CLOPT_TRY(start(session, settings));
    CLOPT_TRY(clopt_session_build(session));
    CLOPT_TRY(clopt_session_make_buffers(session));
    struct checking *checking = session->observing;
    do {
        if (checking->written)
            clReleaseMemObject(checking->written);
        checking->written = NULL;
        clopt_workspace_begin(session->workspace, CLOPT_STAGE_LAUNCH);
        CLOPT_TRY(clopt_session_run_poisoned(session, NULL));
        CLOPT_TRY(collect(session, passes > 0, *report));
        passes++;
        checking->first += checking->window;
    } while (checking->window && checking->first < checking->most);
    CLOPT_TRY(find_unwritten(session, *report));
    count(checking, passes, *report);
    return CLOPT_OK;
}

static void end(struct clopt_session *session)
{
    struct checking *checking = session->observing;
    cl_mem shared[] = {checking->shadow, checking->written, checking->table};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i])
            clReleaseMemObject(shared[i]);
    for (size_t k = 0; k < checking->kernel_count; k++) {
        struct checked *own = &checking->kernels[k];
        if (own->log)
            clReleaseMemObject(own->log);
        if (own->program)
            clReleaseProgram(own->program);
        clopt_check_program_fini(&own->check);
    }
    free(checking->kernels);
    free(checking->options);
    free(checking);
}

const struct clopt_observer clopt_checker = {.run = run,
                                             .build = checking_build,
                                             .launch = checking_launch,
                                             .write = checking_write,
                                             .end = end};
