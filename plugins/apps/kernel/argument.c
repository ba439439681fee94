/* SPDX-License-Identifier: BSD-3-Clause */
/* The arguments of kernels: scalars, buffers or none, local memory, images, samplers. */
#include "argument.h"

bool kernel_argument_is_result(const struct kernel_argument *argument)
{
    return argument->kind == KERNEL_BUFFER &&
           (argument->use == CLOPT_OUTPUT || argument->use == CLOPT_IN_OUT);
}

bool kernel_argument_is_expected(const struct kernel_argument *argument)
{
    return kernel_argument_is_result(argument) && argument->tolerance.how != KERNEL_IGNORED &&
           !argument->tolerance.file;
}

void kernel_argument_fini(struct kernel_argument *argument)
{
    kernel_type_fini(&argument->type);
    kernel_expressions_fini(&argument->values);
    kernel_content_fini(&argument->content);
    kernel_tolerance_fini(&argument->tolerance);
}

/* ---- reading ---- */

/* Reads what the channels of an image hold. */
static void read_channels(struct kernel_scan *scan, struct kernel_argument *argument)
{
    static const struct {
        const char *name;
        enum clopt_channel channel;
    } channels[] = {
        {"char", CLOPT_SIGNED_INT8},       {"short", CLOPT_SIGNED_INT16},
        {"int", CLOPT_SIGNED_INT32},       {"uchar", CLOPT_UNSIGNED_INT8},
        {"ushort", CLOPT_UNSIGNED_INT16},  {"uint", CLOPT_UNSIGNED_INT32},
        {"half", CLOPT_HALF_FLOAT},        {"float", CLOPT_FLOAT},
        {"unorm_uchar", CLOPT_UNORM_INT8}, {"unorm_ushort", CLOPT_UNORM_INT16},
        {"snorm_char", CLOPT_SNORM_INT8},  {"snorm_short", CLOPT_SNORM_INT16},
    };
    char word[KERNEL_WORD];
    kernel_scan_next(scan);
    struct kernel_scan before = *scan;
    kernel_scan_word(scan, word);
    size_t length = strcspn(word, "0123456789");
    bool is_norm = strncmp(word, "unorm_", 6) == 0 || strncmp(word, "snorm_", 6) == 0;
    bool good = kernel_type_named(is_norm ? word + 6 : word, &argument->type) &&
                argument->type.width != 3 && argument->type.width <= 4;
    for (size_t i = 0; good && i < sizeof channels / sizeof *channels; i++)
        if (strncmp(channels[i].name, word, length) == 0 && !channels[i].name[length]) {
            argument->channel = channels[i].channel;
            return;
        }
    kernel_scan_fail(&before, "expected char, uchar, short, ushort, int, uint, half, float, "
                              "unorm_uchar, unorm_ushort, snorm_char or snorm_short, with 2 or 4 "
                              "after it for several channels");
}

/* Reads TYPE[COUNT], or image CHANNELS[WIDTH, HEIGHT]. */
static void read_elements(struct kernel_scan *scan, struct kernel_argument *argument)
{
    char word[KERNEL_WORD];
    kernel_scan_word(scan, word);
    argument->is_image = strcmp(word, "image") == 0;
    if (!*word)
        kernel_scan_fail(scan, "expected a type, such as float");
    else if (argument->is_image)
        read_channels(scan, argument);
    else
        kernel_type_read(scan, word, &argument->type);
    CLOPT_FREED char *inside = kernel_scan_bracket(scan, '[');
    if (!inside)
        kernel_scan_fail(scan, "expected [COUNT], how many elements there are");
    else
        kernel_expressions_read(scan, inside, 1, argument->is_image ? 3 : 8, &argument->values);
}

static void read_buffer(struct kernel_scan *scan, struct kernel_argument *argument)
{
    read_elements(scan, argument);
    argument->tolerance.usual = true; /* unless [results] says something */
    if (argument->use == CLOPT_INPUT || argument->use == CLOPT_IN_OUT)
        kernel_content_read(scan, &argument->type, &argument->content);
    else if (kernel_scan_next(scan))
        kernel_scan_fail(scan, "expected nothing more: the kernel writes this buffer before it "
                               "reads it; inout has content");
}

static void read_local(struct kernel_scan *scan, struct kernel_argument *argument)
{
    read_elements(scan, argument);
    if (argument->is_image)
        kernel_scan_fail(scan, "an image is not local memory");
    kernel_scan_end(scan);
}

bool kernel_argument_by_value(const struct kernel_type *type)
{
    return type->members && kernel_type_components(type) <= KERNEL_MOST_EXPRESSIONS &&
           kernel_type_bytes(type) <= KERNEL_MOST_VALUE_BYTES;
}

/* Reads TYPE EXPRESSION, ... */
static void read_scalar(struct kernel_scan *scan, struct kernel_argument *argument)
{
    char word[KERNEL_WORD];
    kernel_scan_word(scan, word);
    if (!*word)
        kernel_scan_fail(scan,
                         "expected input, output, inout, scratch, local, sampler, null or a type");
    else
        kernel_type_read(scan, word, &argument->type);
    size_t count = kernel_type_components(&argument->type);
    if (argument->type.kind == KERNEL_STRUCT && !kernel_argument_by_value(&argument->type))
        kernel_scan_fail(scan,
                         "a structure by value names its members, at most %d numbers of %d bytes "
                         "together",
                         KERNEL_MOST_EXPRESSIONS, KERNEL_MOST_VALUE_BYTES);
    if (kernel_scan_next(scan) == '[')
        kernel_scan_fail(scan, "a buffer needs its use: input, output, inout, scratch or local");
    kernel_expressions_read(scan, scan->at, 1, count, &argument->values);
    if (argument->values.count != 1 && argument->values.count != count)
        kernel_scan_fail(scan, "expected 1 or %zu expressions", count);
}

/* Reads FILTER ADDRESSING COORDINATES. */
static void read_sampler(struct kernel_scan *scan, struct kernel_argument *argument)
{
    static const char *const filters[] = {"nearest", "linear", NULL};
    static const char *const modes[] = {"none",   "clamp_to_edge",   "clamp",
                                        "repeat", "mirrored_repeat", NULL};
    static const char *const coordinates[] = {"unnormalized", "normalized", NULL};
    static const char *const *const choices[] = {filters, modes, coordinates};
    unsigned chosen[3];
    for (size_t i = 0; i < 3; i++) {
        chosen[i] = kernel_scan_choice(scan, choices[i], sizeof *choices[i]);
        if (!choices[i][chosen[i]])
            kernel_scan_fail(scan, "expected nearest or linear; none, clamp, clamp_to_edge, "
                                   "repeat or mirrored_repeat; normalized or unnormalized");
    }
    argument->sampler = (struct clopt_sampler){(enum clopt_filter)chosen[0],
                                               (enum clopt_addressing)chosen[1], chosen[2] == 1};
    if (chosen[1] >= CLOPT_ADDRESS_REPEAT && !argument->sampler.normalized)
        kernel_scan_fail(scan, "images that repeat need normalized coordinates");
    kernel_scan_end(scan);
}

static void read_null(struct kernel_scan *scan, struct kernel_argument *argument)
{
    (void)argument;
    kernel_scan_end(scan);
}

/* The words that an argument may begin with; without any it is a scalar. */
static const struct {
    const char *name;
    enum kernel_argument_kind kind;
    enum clopt_buffer_use use;
    void (*read)(struct kernel_scan *scan, struct kernel_argument *argument);
} uses[] = {
    {"input", KERNEL_BUFFER, CLOPT_INPUT, read_buffer},
    {"output", KERNEL_BUFFER, CLOPT_OUTPUT, read_buffer},
    {"inout", KERNEL_BUFFER, CLOPT_IN_OUT, read_buffer},
    {"scratch", KERNEL_BUFFER, CLOPT_SCRATCH, read_buffer},
    {"local", KERNEL_LOCAL, 0, read_local},
    {"sampler", KERNEL_SAMPLER, 0, read_sampler},
    {"null", KERNEL_NULL, 0, read_null},
    {NULL, KERNEL_SCALAR, 0, read_scalar},
};

void kernel_argument_read(const struct kernel_position *position, const char *name,
                          struct kernel_argument *argument, struct clopt_error *error)
{
    struct kernel_scan scan = kernel_scan_begin(position, error);
    unsigned use = kernel_scan_choice(&scan, uses, sizeof *uses);
    *argument = (struct kernel_argument){
        .name = name, .position = *position, .kind = uses[use].kind, .use = uses[use].use};
    uses[use].read(&scan, argument);
}

/* ---- evaluating ---- */

size_t kernel_argument_evaluate(const struct kernel_argument *argument, struct kernel_scope *scope,
                                unsigned char *value)
{
    memset(value, 0, kernel_type_bytes(&argument->type));
    for (size_t c = 0; c < kernel_type_components(&argument->type); c++) {
        struct kernel_component component = kernel_type_component(&argument->type, c);
        size_t index = argument->values.count == 1 ? 0 : c;
        struct clopt_number number = kernel_evaluate(scope, &argument->values, index);
        char name[KERNEL_WORD];
        kernel_type_name(argument->type.members ? &component.type : &argument->type, name);
        if (!kernel_store_number(&component.type, number, value + component.offset))
            kernel_fail(&argument->position, scope->error, "%s cannot hold %.17g", name,
                        number.real);
    }
    return kernel_type_bytes(&argument->type);
}

size_t kernel_argument_bytes(const struct kernel_argument *argument, struct kernel_scope *scope)
{
    if (argument->kind != KERNEL_BUFFER && argument->kind != KERNEL_LOCAL)
        return 0;
    size_t bytes, count = kernel_evaluate_product(scope, &argument->values);
    if (__builtin_mul_overflow(count, kernel_type_bytes(&argument->type), &bytes))
        kernel_fail(&argument->position, scope->error, "\"%s\" overflows: too many bytes",
                    argument->position.value);
    return bytes;
}
