/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a study of a launch that was captured. */
#include "capture/study.h"

#include <clopt/source.h>

#include <errno.h>
#include <math.h>

#include "draft/draft.h"
#include "file/file.h"
#include "file/folder.h"
#include "frontend/options.h"
#include "schema/compiler_options.h"

#define MOST_ELEMENT_NAME 64
#define CHUNK             65536 /* a multiple of every element that numbers are looked at of */
#define NOT_SAID          "a number that a study cannot say: no finite one, or too large"
#define MOST_NUMBERS      16 /* of a structure by value */
#define MOST_VALUE_BYTES  128
#define LOCAL_ITEMS       64 /* of a work-group whose size the application left to the driver */

/* A study that is written. */
struct writing {
    const struct clopt_captured *launch;
    const struct clopt_source *source;
    const char *folder;
    struct clopt_text arguments, results;
    bool approximate; /* the source has functions with an accuracy of their own */
    bool any_result;
    bool any_nan; /* in what could be one */
};

/* What the elements of a buffer, or a value, are. */
struct element {
    char name[MOST_ELEMENT_NAME]; /* as studies have it */
    size_t bytes;
    enum clopt_scalar scalar; /* NONE: bytes, or half */
    unsigned width;
};

static enum clopt_status refuse(const struct clopt_variable *parameter, const char *why,
                                struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_INVALID, "argument %s is %s", parameter->name, why);
}

/* ---- types ---- */

static enum clopt_status find_element(const struct clopt_variable *parameter,
                                      struct element *element, struct clopt_error *error)
{
    bool points = parameter->is_pointer;
    element->scalar = points ? parameter->pointee_scalar : parameter->scalar;
    element->width = points ? parameter->pointee_width : parameter->width;
    element->bytes = points ? parameter->pointee_bytes : parameter->bytes;
    if (!element->width)
        element->width = 1;
    if (element->scalar != CLOPT_SCALAR_NONE) {
        char width[12] = "";
        if (element->width > 1)
            snprintf(width, sizeof width, "%u", element->width);
        snprintf(element->name, sizeof element->name, "%s%s", clopt_scalar_name(element->scalar),
                 width);
        element->bytes =
            clopt_scalar_bits(element->scalar) / 8 * (element->width == 3 ? 4 : element->width);
        return CLOPT_OK;
    }
    if (strstr(parameter->type, "image") || strstr(parameter->type, "sampler"))
        return refuse(parameter, "an image or a sampler that clopt does not know", error);
    if (!points)
        return refuse(parameter, "a structure by value with more than numbers in it", error);
    if (!element->bytes)
        return refuse(parameter, "of a type whose size is not known", error);
    if (element->bytes == 2 && strstr(parameter->type, "half"))
        snprintf(element->name, sizeof element->name, "half");
    else
        snprintf(element->name, sizeof element->name, "struct(%zu)", element->bytes);
    return CLOPT_OK;
}

/* The channels of an image, whose text begins with them: unorm_uchar2[640, 360]. */
static void find_channels(const char *text, struct element *element)
{
    static const struct {
        const char *name;
        enum clopt_scalar scalar;
        size_t bytes;
    } types[] = {{"uchar", CLOPT_SCALAR_UCHAR, 1},   {"char", CLOPT_SCALAR_CHAR, 1},
                 {"ushort", CLOPT_SCALAR_USHORT, 2}, {"short", CLOPT_SCALAR_SHORT, 2},
                 {"uint", CLOPT_SCALAR_UINT, 4},     {"int", CLOPT_SCALAR_INT, 4},
                 {"float", CLOPT_SCALAR_FLOAT, 4},   {"half", CLOPT_SCALAR_NONE, 2}};
    const char *name = text + (strstr(text, "norm_") == text + 1 ? strlen("unorm_") : 0);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        size_t length = strlen(types[i].name);
        if (element->bytes || strncmp(name, types[i].name, length) != 0)
            continue;
        element->scalar = types[i].scalar;
        element->width = name[length] == '[' ? 1 : (unsigned)(name[length] - '0');
        element->bytes = types[i].bytes * element->width;
        snprintf(element->name, sizeof element->name, "%s", types[i].name);
    }
}

/* ---- values ---- */

/* Appends a number as an expression; false: it is none. */
static bool append_number(struct clopt_text *text, enum clopt_scalar scalar,
                          const unsigned char *bytes)
{
    size_t size = clopt_scalar_bits(scalar) / 8;
    uint64_t bits = 0;
    memcpy(&bits, bytes, size); /* little-endian, as every host that clopt runs on */
    if (clopt_scalar_is_real(scalar)) {
        float single;
        double value;
        memcpy(&single, bytes, sizeof single);
        if (size == sizeof value)
            memcpy(&value, bytes, sizeof value);
        else
            value = (double)single;
        clopt_text_printf(text, "%.*g", size == sizeof value ? 17 : 9, value);
        return isfinite(value);
    }
    if (clopt_scalar_is_signed(scalar)) {
        unsigned unused = 64 - 8 * (unsigned)size;
        clopt_text_printf(text, "%" PRId64, (int64_t)(bits << unused) >> unused);
        return true;
    }
    clopt_text_printf(text, "%" PRIu64, bits);
    return bits <= INT64_MAX;
}

/* Appends the numbers of an element, with commas; false: one of them is none. */
static bool append_element(struct clopt_text *text, const struct element *element,
                           const unsigned char *bytes)
{
    bool good = true;
    for (unsigned i = 0; i < element->width; i++) {
        clopt_text_append(text, i ? ", " : "");
        good &= append_number(text, element->scalar,
                              bytes + i * (clopt_scalar_bits(element->scalar) / 8));
    }
    return good;
}

/* Takes the next of the members that clang lists, TYPE or TYPE[COUNT]; false: that was all. */
static bool next_member(const char **list, struct element *member, unsigned *count)
{
    char name[16];
    int length = 0;
    *member = (struct element){.width = 1};
    *count = 1;
    if (sscanf(*list, "%15[a-z]%n%u%n", name, &length, &member->width, &length) < 1)
        return false;
    *list += length;
    while (strcmp(clopt_scalar_name(member->scalar), name) != 0)
        member->scalar++;
    member->bytes =
        clopt_scalar_bits(member->scalar) / 8 * (member->width == 3 ? 4 : member->width);
    if (sscanf(*list, "[%u]%n", count, &length) == 1)
        *list += length;
    *list += strspn(*list, ", ");
    return true;
}

/* Writes a structure by value, whose members have to be laid as C lays them. */
static enum clopt_status put_structure(struct writing *writing,
                                       const struct clopt_variable *parameter,
                                       const struct clopt_captured_argument *argument,
                                       struct clopt_error *error)
{
    struct element member;
    const char *list = parameter->members;
    size_t at = 0, alignment = 1;
    unsigned count;
    size_t numbers = 0;
    clopt_text_printf(&writing->arguments, "%s = struct(%s) ", parameter->name, list);
    while (next_member(&list, &member, &count)) {
        alignment = member.bytes > alignment ? member.bytes : alignment;
        at = (at + member.bytes - 1) / member.bytes * member.bytes;
        for (; count && at + member.bytes <= argument->bytes; count--, at += member.bytes) {
            clopt_text_append(&writing->arguments, numbers ? ", " : "");
            if (!append_element(&writing->arguments, &member, argument->value + at))
                return refuse(parameter, NOT_SAID, error);
            numbers += member.width;
        }
        at += count * member.bytes; /* beyond the end: refused */
    }
    clopt_text_append_char(&writing->arguments, '\n');
    if ((at + alignment - 1) / alignment * alignment != argument->bytes)
        return refuse(parameter, "a structure whose members are not laid as C lays them", error);
    if (numbers > MOST_NUMBERS || at > MOST_VALUE_BYTES)
        return refuse(parameter, "a structure of more than 16 numbers or 128 bytes", error);
    return CLOPT_OK;
}

static enum clopt_status put_value(struct writing *writing, const struct clopt_variable *parameter,
                                   const struct clopt_captured_argument *argument,
                                   struct clopt_error *error)
{
    struct element element = {0};
    if (parameter->is_record && parameter->members)
        return put_structure(writing, parameter, argument, error);
    if (find_element(parameter, &element, error))
        return error->status;
    if (element.bytes != argument->bytes)
        return refuse(parameter, "of another size than its type", error);
    clopt_text_printf(&writing->arguments, "%s = %s ", parameter->name, element.name);
    if (!append_element(&writing->arguments, &element, argument->value))
        return refuse(parameter, NOT_SAID, error);
    clopt_text_append_char(&writing->arguments, '\n');
    return CLOPT_OK;
}

/* ---- arrays ---- */

/* Whether an array has a number that is none, which no comparison takes for right. */
static bool has_nan(const struct element *element, const char *bytes, size_t size)
{
    if (element->scalar == CLOPT_SCALAR_FLOAT) {
        for (size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
            float value;
            memcpy(&value, bytes + i, sizeof value);
            if (isnan(value))
                return true;
        }
    } else if (element->scalar == CLOPT_SCALAR_DOUBLE) {
        for (size_t i = 0; i + sizeof(double) <= size; i += sizeof(double)) {
            double value;
            memcpy(&value, bytes + i, sizeof value);
            if (isnan(value))
                return true;
        }
    } else if (strcmp(element->name, "half") == 0) {
        for (size_t i = 0; i + 2 <= size; i += 2)
            if ((bytes[i + 1] & 0x7c) == 0x7c && ((bytes[i + 1] & 3) || bytes[i]))
                return true;
    }
    return false;
}

/* Writes the head of a .npy file (version 1.0): the type, and how many of them there are. */
static void write_head(FILE *stream, const struct element *element, size_t count)
{
    char head[118], kind = 'u';
    size_t bytes = element->bytes / element->width, last = element->width;
    if (strcmp(element->name, "half") == 0 || clopt_scalar_is_real(element->scalar)) {
        kind = 'f';
    } else if (element->scalar == CLOPT_SCALAR_NONE) {
        last = element->bytes; /* a structure is a row of bytes */
        bytes = 1;
    } else if (clopt_scalar_is_signed(element->scalar)) {
        kind = 'i';
    }
    bool rows = last > 1 || (kind == 'u' && element->scalar == CLOPT_SCALAR_NONE);
    char shape[64];
    snprintf(shape, sizeof shape, rows ? "(%zu, %zu)" : "(%zu,)", count, last);
    int length =
        snprintf(head, sizeof head, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }",
                 bytes == 1 ? '|' : '<', kind, bytes, shape);
    fwrite("\x93NUMPY\x01\x00\x76\x00", 1, 10, stream);
    fprintf(stream, "%s%*s\n", head, (int)sizeof head - 1 - length, "");
}

/* Copies whole elements of a captured buffer to the study's folder, and removes it. What is called
 * .npy gets a head. */
static enum clopt_status copy_array(const struct writing *writing, const char *from,
                                    const char *name, const struct element *element, size_t count,
                                    bool *nan, struct clopt_error *error)
{
    char chunk[CHUNK];
    CLOPT_FREED char *path = clopt_path_join(writing->folder, name);
    FILE *input = fopen(from, "rb"), *output = path ? fopen(path, "wb") : NULL;
    size_t left = count * element->bytes;
    if (output && strstr(name, ".npy"))
        write_head(output, element, count);
    while (input && output && left) {
        size_t got = fread(chunk, 1, left < CHUNK ? left : CHUNK, input);
        if (!got || fwrite(chunk, 1, got, output) != got)
            break;
        *nan |= has_nan(element, chunk, got);
        left -= got;
    }
    bool failed = !input || !output || left;
    if (input)
        fclose(input);
    failed |= output && fclose(output) != 0;
    remove(from);
    if (failed)
        clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", path ? path : name,
                   strerror(errno));
    return failed ? CLOPT_FAILED : CLOPT_OK;
}

static const char *find_tolerance(const struct writing *writing, const struct element *element,
                                  bool changed, bool is_rounded)
{
    bool half = strcmp(element->name, "half") == 0;
    if (changed && is_rounded)
        return "absolute 1"; /* the device rounds to the nearest of its steps */
    if (!changed || (!half && !clopt_scalar_is_real(element->scalar)))
        return "exact";
    if (half || writing->approximate)
        return "relative 1e-2";
    return element->scalar == CLOPT_SCALAR_DOUBLE ? "relative 1e-10" : "relative 1e-4";
}

static enum clopt_status put_buffer(struct writing *writing, size_t index,
                                    const struct clopt_variable *parameter,
                                    const struct clopt_captured_argument *argument,
                                    struct clopt_error *error)
{
    struct element element = {0};
    struct clopt_text before = {0}, after = {0}, file = {0}, result = {0};
    bool input = argument->text
                     ? !strstr(parameter->type, "write")
                     : parameter->points_to_const || parameter->pointee == CLOPT_SPACE_CONSTANT;
    bool nan = false; /* in what is right: what the buffer has after the launch */
    if (argument->text)
        find_channels(argument->text, &element);
    else if (find_element(parameter, &element, error))
        return error->status;
    size_t count = argument->bytes / element.bytes;
    /* a vector of 3 has the room of 4 */
    const char *ending = element.width == 3 || argument->text ? "bin" : "npy";
    clopt_text_printf(&before, "%s-%zu.before", writing->launch->stem, index);
    clopt_text_printf(&after, "%s-%zu.after", writing->launch->stem, index);
    clopt_text_printf(&file, "%s.%s", parameter->name, ending);
    clopt_text_printf(&result, "%s-after.%s", parameter->name, ending);
    enum clopt_status status =
        before.failed || after.failed || file.failed || result.failed ? clopt_fail_memory(error)
        : !count ? refuse(parameter, "shorter than one element", error)
                 : copy_array(writing, before.data, file.data, &element, count, &nan, error);
    if (!status && argument->changed) {
        nan = false;
        status = copy_array(writing, after.data, result.data, &element, count, &nan, error);
    }
    clopt_text_printf(&writing->arguments, "%s = %s ", parameter->name, input ? "input" : "inout");
    if (argument->text)
        clopt_text_printf(&writing->arguments, "image %s", argument->text);
    else
        clopt_text_printf(&writing->arguments, "%s[%zu]", element.name, count);
    clopt_text_printf(&writing->arguments, " file(%s)\n", clopt_text_string(&file));
    if (!input && nan)
        clopt_text_printf(&writing->results, "%s = ignore ; it has NaN, which is never right\n",
                          parameter->name);
    else if (!input)
        clopt_text_printf(&writing->results, "%s = %s file(%s)\n", parameter->name,
                          find_tolerance(writing, &element, argument->changed,
                                         argument->text && strstr(argument->text, "norm_")),
                          clopt_text_string(argument->changed ? &result : &file));
    writing->any_result |= !input && argument->changed && !nan;
    writing->any_nan |= argument->changed && nan;
    clopt_text_fini(&before);
    clopt_text_fini(&after);
    clopt_text_fini(&file);
    clopt_text_fini(&result);
    return status;
}

static enum clopt_status put_argument(struct writing *writing, size_t index,
                                      struct clopt_error *error)
{
    const struct clopt_variable *parameter = writing->source->kernel->parameters[index];
    const struct clopt_captured_argument *argument = &writing->launch->arguments[index];
    struct element element = {0};
    bool local = parameter->is_pointer && parameter->pointee == CLOPT_SPACE_LOCAL;
    bool image = argument->text && strstr(parameter->type, "image");
    if (argument->kind == CLOPT_CAPTURED_SAMPLER && strstr(parameter->type, "sampler")) {
        clopt_text_printf(&writing->arguments, "%s = sampler %s\n", parameter->name,
                          argument->text);
        return CLOPT_OK;
    }
    if (argument->kind == CLOPT_CAPTURED_BUFFER &&
        (image || (parameter->is_pointer && !local && !argument->text)))
        return put_buffer(writing, index, parameter, argument, error);
    if (argument->kind == CLOPT_CAPTURED_VALUE && !parameter->is_pointer)
        return put_value(writing, parameter, argument, error);
    if (argument->kind != CLOPT_CAPTURED_NULL || !local) {
        const char *why = "unknown: it was set by a call that clopt does not know";
        if (argument->kind == CLOPT_CAPTURED_NULL)
            why = "a null pointer";
        else if (parameter->is_pointer)
            why = "a memory object that clopt does not know";
        else if (!find_element(parameter, &element, error))
            why = "not a buffer for OpenCL C, but for the application";
        else
            return error->status;
        return refuse(parameter, why, error);
    }
    if (find_element(parameter, &element, error))
        return error->status;
    clopt_text_printf(&writing->arguments, "%s = local %s[%zu]\n", parameter->name, element.name,
                      (argument->bytes + element.bytes - 1) / element.bytes);
    return CLOPT_OK;
}

/* ---- sizes ---- */

/* Chooses a local size for a launch that the application gave none: a divisor of the global size.
 */
static size_t choose_local(size_t global)
{
    size_t local = global < LOCAL_ITEMS ? global : LOCAL_ITEMS;
    while (local > 1 && global % local)
        local--;
    return local;
}

/* Whether a kernel knows nothing of its work-group, as far as the words of its source say. */
static bool knows_no_group(const char *source)
{
    static const char *const words[] = {"get_local", "get_group",   "get_num_groups", "barrier",
                                        "local",     "work_group",  "sub_group",      "#include",
                                        "##",        "get_enqueued"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(source, words[i]))
            return false;
    return true;
}

static enum clopt_status put_sizes(const struct writing *writing, const char *text,
                                   struct clopt_text *sections, struct clopt_error *error)
{
    const struct clopt_captured *launch = writing->launch;
    bool given = launch->local[0] != 0;
    clopt_text_append(sections, "global = ");
    for (unsigned d = 0; d < launch->dimensions; d++)
        clopt_text_printf(sections, "%s%zu", d ? ", " : "", launch->global[d]);
    clopt_text_append(sections, "\nlocal = ");
    for (unsigned d = 0; d < launch->dimensions; d++) {
        size_t local = given ? launch->local[d] : d ? 1 : choose_local(launch->global[d]);
        if (!local || launch->global[d] % local)
            return clopt_fail(error, CLOPT_INVALID,
                              "its global size is not a multiple of its local size");
        clopt_text_printf(sections, "%s%zu", d ? ", " : "", local);
    }
    if (!given)
        clopt_text_append(sections, " ; the application leaves it to the driver\n"
                                    "any_local_size = dividing");
    else if (knows_no_group(text))
        clopt_text_append(sections, "\nany_local_size = dividing ; no word of work-groups in it");
    clopt_text_append_char(sections, '\n');
    return CLOPT_OK;
}

/* ---- the whole ---- */

static enum clopt_status split_options(const char *text, struct clopt_compiler_options *options,
                                       struct clopt_error *error)
{
    struct clopt_build_options words = {0};
    if (strpbrk(text, ";#\n"))
        return clopt_fail(error, CLOPT_INVALID, "its build options have a ; or #: %s", text);
    enum clopt_status status = clopt_build_options_split(text, &words, error);
    for (size_t i = 0; i < words.count && !status; i++)
        clopt_compiler_options_add(options, words.words[i]);
    clopt_build_options_fini(&words);
    return status;
}

/* Writes the sections that tell the app kernel of the launch. */
static enum clopt_status describe(struct writing *writing, const char *text,
                                  const struct clopt_compiler_options *options,
                                  struct clopt_text *sections, struct clopt_error *error)
{
    const struct clopt_captured *launch = writing->launch;
    size_t count = writing->source->kernel->parameter_count;
    clopt_text_append(sections, "\n[app kernel]\nsource = kernel.cl\n");
    if (options->options.length)
        clopt_text_printf(sections, "options = %s\n", options->options.data);
    if (options->folders.length)
        clopt_text_printf(sections, "include = %s\n", options->folders.data);
    clopt_text_printf(sections, "kernel = %s\n", launch->kernel);
    enum clopt_status status = put_sizes(writing, text, sections, error);
    if (!status && launch->argument_count > count)
        status = clopt_fail(error, CLOPT_INVALID, "it has more arguments than its source");
    for (size_t i = 0; i < count && !status; i++)
        status = put_argument(writing, i, error);
    if (!status && !writing->any_result)
        status = clopt_fail(error, CLOPT_INVALID,
                            writing->any_nan ? "what it leaves has NaN, which no comparison takes"
                                             : "it changes no buffer that could be compared");
    clopt_text_printf(sections,
                      "\n[arguments]\n%s\n[results]\n; What the application's own run left.\n%s",
                      clopt_text_string(&writing->arguments), clopt_text_string(&writing->results));
    sections->failed |= writing->arguments.failed || writing->results.failed;
    return status ? status : sections->failed ? clopt_fail_memory(error) : CLOPT_OK;
}

/* Writes kernel.ini for a folder that has the rest. */
static enum clopt_status write_study(const struct writing *writing, const char *application,
                                     const struct clopt_compiler_options *options,
                                     const struct clopt_registry *registry, const char *sections,
                                     struct clopt_error *error)
{
    struct clopt_text study = {0}, origin = {0};
    char *file = clopt_path_join(writing->folder, "kernel.cl");
    CLOPT_FREED char *path = clopt_path_join(writing->folder, "kernel.ini");
    clopt_text_append(&origin, "Written by `clopt capture` from a launch of ");
    clopt_text_append_printable(&origin, application);
    clopt_text_printf(&origin, " on %s.", writing->launch->device);
    struct clopt_draft_request request = {.registry = registry,
                                          .file = file,
                                          .named = "kernel.cl",
                                          .options = options,
                                          .kernel = writing->launch->kernel,
                                          .origin = clopt_text_string(&origin),
                                          .described = sections,
                                          .check = "Inputs and results are the application's own."};
    enum clopt_status status =
        file && path ? clopt_draft_write(&request, &study, error) : clopt_fail_memory(error);
    if (!status)
        status = clopt_file_write(path, study.data, study.length, error);
    clopt_text_fini(&study);
    clopt_text_fini(&origin);
    free(file);
    return status;
}

static enum clopt_status write_source(const char *folder, const char *text,
                                      struct clopt_error *error)
{
    CLOPT_FREED char *path = clopt_path_join(folder, "kernel.cl");
    return path ? clopt_file_write(path, text, strlen(text), error) : clopt_fail_memory(error);
}

enum clopt_status clopt_captured_write(const struct clopt_captured *launch, const char *text,
                                       const char *application, const char *folder,
                                       const struct clopt_registry *registry,
                                       struct clopt_error *error)
{
    struct writing writing = {.launch = launch,
                              .folder = folder,
                              .approximate = strstr(text, "native_") || strstr(text, "half_")};
    struct clopt_compiler_options options = {0};
    struct clopt_text sections = {0};
    struct clopt_source *source = NULL;
    enum clopt_status status = split_options(launch->options, &options, error);
    if (!status)
        status = clopt_source_create("kernel.cl", text, NULL, clopt_text_string(&options.all),
                                     launch->kernel, &source, error);
    writing.source = source;
    if (!status)
        status = clopt_folder_create(folder, error);
    if (!status)
        status = write_source(folder, text, error);
    if (!status)
        status = describe(&writing, text, &options, &sections, error);
    if (!status)
        status = write_study(&writing, application, &options, registry, sections.data, error);
    if (status && source)
        clopt_folder_remove(folder);
    clopt_source_destroy(source);
    clopt_compiler_options_fini(&options);
    clopt_text_fini(&sections);
    clopt_text_fini(&writing.arguments);
    clopt_text_fini(&writing.results);
    return status;
}
