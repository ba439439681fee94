/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds host programs in C and Python, which do what the app did. */
#include <ctype.h>

#include "commands/export/unit.h"
#include "file/file.h"
#include "text/json.h"

/* What is written of a run in one of the two languages. */
struct host {
    struct clopt_export_unit *unit;
    const json_t *trace;
    bool python;
    struct clopt_text text;
};

static long long number_of(const json_t *json, const char *key)
{
    return (long long)json_integer_value(json_object_get(json, key));
}

/* Appends what is harmless in names of variables and files. */
static void append_name(struct clopt_text *text, const char *name)
{
    for (const char *c = name; *c; c++)
        clopt_text_append_char(text, isalnum((unsigned char)*c) ? *c : '_');
}

/* Appends the variable that is a buffer: unlike any other name of the program. */
static void append_buffer(struct host *host, long long id)
{
    const json_t *buffer = json_array_get(json_object_get(host->trace, "buffers"), (size_t)id);
    append_name(&host->text, clopt_json_string(buffer, "name"));
    clopt_text_append(&host->text, "_buffer");
}

/* Reads hexadecimal digits; returns how many bytes there are, `most` at most. */
static size_t read_hex(const char *digits, unsigned char *bytes, size_t most)
{
    size_t count = 0;
    for (; count < most && digits[0] && digits[1]; digits += 2) {
        const char pair[3] = {digits[0], digits[1], '\0'};
        bytes[count++] = (unsigned char)strtoul(pair, NULL, 16);
    }
    return count;
}

/* Appends bytes as they are. */
static void append_raw(struct host *host, const char *digits)
{
    if (host->python) {
        clopt_text_printf(&host->text, "raw(\"%s\")", digits);
        return;
    }
    clopt_text_append(&host->text, "RAW(");
    for (const char *at = digits; at[0] && at[1]; at += 2)
        clopt_text_printf(&host->text, "%s0x%.2s", at > digits ? ", " : "", at);
    clopt_text_append(&host->text, ")");
}

/* Writes a scalar as a number into `number`; false where that would not be exact. */
static bool print_number(enum clopt_scalar scalar, const unsigned char *bytes, size_t count,
                         char *number, size_t size)
{
    int64_t value = 0;
    bool is_signed = clopt_scalar_is_signed(scalar);
    if (clopt_scalar_is_real(scalar) && count == clopt_scalar_bytes(scalar, 1)) {
        double real = clopt_scalar_real(scalar, bytes);
        snprintf(number, size, "%.*g", count == sizeof real ? 17 : 9, real);
        return real - real == 0;
    }
    for (size_t i = count; i-- > 0;)
        value = (int64_t)((uint64_t)value << 8 | bytes[i]);
    if (is_signed && count && count < 8 && bytes[count - 1] & 0x80)
        value -= (int64_t)1 << (8 * count);
    snprintf(number, size, "%lld", (long long)value);
    return clopt_scalar_is_integer(scalar) && value > INT64_MIN && (is_signed || value >= 0);
}

/* Names a type as NumPy does, such as float32. */
static void append_numpy(struct clopt_text *text, enum clopt_scalar scalar)
{
    clopt_text_printf(text, "np.%s%u",
                      clopt_scalar_is_real(scalar)     ? "float"
                      : clopt_scalar_is_signed(scalar) ? "int"
                                                       : "uint",
                      clopt_scalar_bits(scalar));
}

static void append_value(struct host *host, const char *kernel, size_t index, const char *digits)
{
    const struct clopt_variable *parameter = clopt_export_parameter(host->unit, kernel, index);
    unsigned char bytes[8];
    char number[40];
    size_t count = read_hex(digits, bytes, sizeof bytes);
    bool known = parameter && parameter->width == 1 && strlen(digits) == 2 * count &&
                 clopt_scalar_is_number(parameter->scalar) &&
                 (host->python || parameter->scalar != CLOPT_SCALAR_HALF);
    if (!known || !print_number(parameter->scalar, bytes, count, number, sizeof number)) {
        append_raw(host, digits);
    } else if (host->python) {
        append_numpy(&host->text, parameter->scalar);
        clopt_text_printf(&host->text, "(%s)", number);
    } else
        clopt_text_printf(&host->text, "VALUE(cl_%s, %s)", clopt_scalar_name(parameter->scalar),
                          number);
}

static void append_argument(struct host *host, const char *kernel, size_t index,
                            const json_t *argument)
{
    clopt_text_append(&host->text, index ? ", " : "");
    if (json_object_get(argument, "buffer")) {
        clopt_text_append(&host->text, host->python ? "" : "BUFFER(");
        append_buffer(host, number_of(argument, "buffer"));
        clopt_text_append(&host->text, host->python ? "" : ")");
    } else if (json_object_get(argument, "local")) {
        clopt_text_printf(&host->text, host->python ? "cl.LocalMemory(%lld)" : "LOCAL(%lld)",
                          number_of(argument, "local"));
    } else {
        append_value(host, kernel, index, clopt_json_string(argument, "value"));
    }
}

static void append_sizes(struct host *host, const json_t *sizes)
{
    clopt_text_append(&host->text, host->python ? "(" : "SIZES(");
    for (size_t d = 0; d < json_array_size(sizes); d++)
        clopt_text_printf(&host->text, d ? ", %lld" : "%lld",
                          (long long)json_integer_value(json_array_get(sizes, d)));
    clopt_text_append(&host->text, host->python && json_array_size(sizes) == 1 ? ",)" : ")");
}

static void append_launch(struct host *host, const json_t *event)
{
    const char *kernel = clopt_json_string(event, "kernel");
    const json_t *arguments = json_object_get(event, "arguments");
    const json_t *global = json_object_get(event, "global");
    if (host->python)
        clopt_text_printf(&host->text, "    run.launch(\"%s\", ", kernel);
    else
        clopt_text_printf(&host->text, "    launch(run, \"%s\", %zu, ", kernel,
                          json_array_size(global));
    append_sizes(host, global);
    clopt_text_append(&host->text, ", ");
    append_sizes(host, json_object_get(event, "local"));
    size_t count = json_array_size(arguments);
    clopt_text_append(&host->text, host->python ? ", ["
                                   : count      ? ",\n           ARGUMENTS("
                                                : ", 0, (NULL");
    for (size_t i = 0; i < count; i++)
        append_argument(host, kernel, i, json_array_get(arguments, i));
    clopt_text_append(&host->text, host->python ? "])\n" : "));\n");
}

static void append_write(struct host *host, const json_t *event)
{
    const char *digits = clopt_json_string(event, "value");
    clopt_text_append(&host->text, host->python ? "    run.write(" : "    write_part(run, ");
    append_buffer(host, number_of(event, "buffer"));
    clopt_text_printf(&host->text, ", %lld, ", number_of(event, "offset"));
    if (host->python) {
        clopt_text_printf(&host->text, "bytes.fromhex(\"%s\"))\n", digits);
        return;
    }
    clopt_text_printf(&host->text, "%zu, \"", strlen(digits) / 2);
    for (const char *at = digits; at[0] && at[1]; at += 2)
        clopt_text_printf(&host->text, "\\x%.2s", at);
    clopt_text_append(&host->text, "\");\n");
}

/* ---- buffers ---- */

/* Returns what a buffer holds, by the first kernel that has a pointer to it. */
static enum clopt_scalar find_element(const struct host *host, size_t id)
{
    size_t number, index;
    const json_t *event, *argument;
    json_array_foreach(json_object_get(host->trace, "events"), number, event)
    {
        json_array_foreach(json_object_get(event, "arguments"), index, argument)
        {
            const json_t *buffer = json_object_get(argument, "buffer");
            if (!buffer || (size_t)json_integer_value(buffer) != id)
                continue;
            const struct clopt_variable *parameter =
                clopt_export_parameter(host->unit, clopt_json_string(event, "kernel"), index);
            return parameter ? parameter->pointee_scalar : CLOPT_SCALAR_NONE;
        }
    }
    return CLOPT_SCALAR_NONE;
}

/* The file in which contents of a buffer are, in the folder of the export. */
static void append_file(struct clopt_text *text, const struct host *host, size_t run,
                        const json_t *buffer)
{
    clopt_text_append(text, host->unit->name);
    if (run)
        clopt_text_printf(text, "-%zu", run);
    clopt_text_append(text, "-");
    append_name(text, clopt_json_string(buffer, "name"));
    clopt_text_append(text, ".bin");
}

static void append_creation(struct host *host, size_t run, size_t id, const json_t *buffer)
{
    struct clopt_text *text = &host->text;
    const json_t *fill = json_object_get(buffer, "fill");
    clopt_text_append(text, host->python ? "    " : "    cl_mem ");
    append_buffer(host, (long long)id);
    bool from_file = json_object_get(buffer, "file");
    clopt_text_printf(text, host->python ? " = run.%s(" : " = %s(run, ",
                      from_file ? "from_file" : "filled");
    if (!host->python) {
        clopt_export_append_string(text, clopt_json_string(buffer, "name"));
        clopt_text_append(text, ", ");
    }
    if (from_file) {
        clopt_text_append(text, "\"");
        append_file(text, host, run, buffer);
        clopt_text_append(text, "\"");
    } else {
        clopt_text_printf(text, "%d", fill ? (int)json_integer_value(fill) : 0xFF);
    }
    clopt_text_printf(text, host->python ? ", %lld)\n" : ", %lld);\n", number_of(buffer, "bytes"));
}

static void append_result(struct host *host, size_t id, const json_t *buffer)
{
    enum clopt_scalar element = find_element(host, id);
    element = clopt_scalar_is_real(element) ? element : CLOPT_SCALAR_UCHAR; /* bytes */
    if (!json_is_true(json_object_get(buffer, "output")))
        return;
    if (host->python) {
        clopt_text_append(&host->text, "    run.result(");
        clopt_export_append_string(&host->text, clopt_json_string(buffer, "name"));
        clopt_text_append(&host->text, ", ");
        append_numpy(&host->text, element);
        clopt_text_append(&host->text, ", ");
        append_buffer(host, (long long)id);
        clopt_text_append(&host->text, ")\n");
        return;
    }
    clopt_text_append(&host->text, "    result(run, ");
    append_buffer(host, (long long)id);
    clopt_text_printf(&host->text, ", %s);\n",
                      element == CLOPT_SCALAR_HALF     ? "HALVES"
                      : element == CLOPT_SCALAR_FLOAT  ? "FLOATS"
                      : element == CLOPT_SCALAR_DOUBLE ? "DOUBLES"
                                                       : "BYTES");
}

/* Appends the function of a trace. */
static void append_run(struct host *host, size_t run)
{
    size_t index;
    const json_t *item;
    const json_t *buffers = json_object_get(host->trace, "buffers");
    clopt_text_printf(
        &host->text,
        host->python ? "def run_%zu(run):\n" : "static void run_%zu(struct run *run)\n{\n", run);
    json_array_foreach(buffers, index, item)
    {
        if (json_is_object(item))
            append_creation(host, run, index, item);
    }
    json_array_foreach(json_object_get(host->trace, "events"), index, item)
    {
        if (json_object_get(item, "kernel"))
            append_launch(host, item);
        else
            append_write(host, item);
    }
    json_array_foreach(buffers, index, item)
    {
        if (json_is_object(item))
            append_result(host, index, item);
    }
    if (json_is_true(json_object_get(host->trace, "cut")))
        clopt_text_printf(&host->text, "    %s The app goes on.%s\n", host->python ? "#" : "/*",
                          host->python ? "" : " */");
    clopt_text_append(&host->text, host->python ? "\n\n" : "}\n\n");
}

static struct clopt_text write_runs(struct clopt_export_unit *unit, bool python,
                                    struct clopt_text *list)
{
    struct host host = {.unit = unit, .python = python};
    for (size_t i = 0; i < unit->count; i++) {
        clopt_text_printf(list, "%srun_%zu", i ? ", " : "", unit->variants[i].run);
        host.trace = unit->variants[i].trace;
        if (host.trace)
            append_run(&host, i);
    }
    return host.text;
}

/* Adds what buffers start from. */
static enum clopt_status add_contents(struct clopt_export_unit *unit, size_t run,
                                      struct clopt_error *error)
{
    struct host host = {.unit = unit};
    size_t index;
    const json_t *buffer;
    json_array_foreach(json_object_get(unit->variants[run].trace, "buffers"), index, buffer)
    {
        const char *path = json_string_value(json_object_get(buffer, "file"));
        CLOPT_OWNED(clopt_text) name = {0};
        char *data = NULL;
        size_t size = 0;
        if (!path)
            continue;
        append_file(&name, &host, run, buffer);
        CLOPT_TRY(clopt_file_read(path, UINT64_MAX, &data, &size, error));
        clopt_file_set_add(&unit->files, name.data, data, size);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_export_add_hosts(struct clopt_export_unit *unit, struct clopt_error *error)
{
    static const char *const templates[2][2] = {{"host.c", "_host.c"}, {"host.py", "_host.py"}};
    static const char *const permute[] = {
        "    struct permuted permuted = {{NULL}, {0}};\n"
        "    if (is_changed)\n"
        "        permuted = permute(run, kernel, count, arguments, global, local);\n",
        "            arguments, permuted = permute(self, count, arguments, *sizes)\n"};
    static const char *const permute_back[] = {"    if (is_changed)\n"
                                               "        permute_back(run, &permuted, arguments);\n",
                                               "            permute_back(self, permuted)\n"};
    static const char sizes[] =
        "            count, sizes = len(arguments), (global_size, local_size)\n";
    CLOPT_OWNED(clopt_text) in_c = {0}, in_python = {0};
    clopt_export_append_layouts(NULL, &in_c, &in_python, unit);
    bool permutes = in_c.length;
    for (size_t i = 0; i < unit->count; i++)
        CLOPT_TRY(add_contents(unit, i, error));
    for (size_t python = 0; python < 2; python++) {
        CLOPT_OWNED(clopt_text) list = {0};
        CLOPT_OWNED(clopt_text) runs = write_runs(unit, python, &list);
        const char *shown = clopt_text_string(&runs), *listed = clopt_text_string(&list);
        const struct clopt_export_mark marks[] = {
            {"runs", shown},
            {"run_list", listed},
            {"permuting", clopt_text_string(python ? &in_python : &in_c)},
            {"permute_sizes", permutes ? sizes : ""},
            {"permute", permutes ? permute[python] : ""},
            {"permute_back", permutes ? permute_back[python] : ""},
            {NULL, NULL}};
        clopt_export_add_filled(unit, templates[python][0], templates[python][1], marks);
    }
    return CLOPT_OK;
}
