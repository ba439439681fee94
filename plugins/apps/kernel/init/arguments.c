/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes [arguments] of a drafted study. */
#include "draft.h"

#include "../signature.h"

#define MOST_TIMES 8  /* that a guess may have to be longer, */
#define SURE_TIMES 64 /* where two runs agree */

/* Reads members that clang lists; false where they would not lie as they do there. */
static bool read_members(const char *members, size_t bytes, struct kernel_type *type)
{
    char text[600];
    struct clopt_error ignored = {0};
    struct kernel_position position = {.origin = "", .section = "", .value = text};
    snprintf(text, sizeof text, "(%s)", members ? members : "");
    struct kernel_scan scan = kernel_scan_begin(&position, &ignored);
    kernel_type_read(&scan, "struct", type);
    if (ignored.status)
        return false;
    if (type->scalar_bytes == bytes)
        return true;
    kernel_type_fini(type);
    return false;
}

/* Puts what is to be known of a structure, and writes its type. */
static void put_structure(const struct kernel_draft *draft, const struct clopt_variable *variable,
                          struct kernel_type *type, char *name, size_t size)
{
    FILE *study = draft->study;
    size_t bytes = variable->is_pointer ? variable->pointee_bytes : variable->bytes;
    if (!bytes)
        fprintf(study, "; Fill in how many bytes a %s has, or the type after the name.\n", name);
    bool known = read_members(variable->members, bytes, type);
    if (bytes && !variable->is_pointer && !kernel_argument_by_value(type))
        fprintf(study,
                "; clopt cannot pass a %s, such a structure, by value: a kernel that takes a\n"
                "; pointer to it, or its members, can be studied.\n",
                name);
    if (known)
        snprintf(name, size, "struct(%s)", variable->members);
    else
        snprintf(name, size, "struct(%zu)", bytes ? bytes : 16);
}

/* The overrun of an argument that runs have shown; NULL: none. */
static const struct clopt_overrun *overrun_of(const struct kernel_draft *draft, unsigned index)
{
    const struct clopt_draft *asked = draft->asked;
    for (size_t i = 0; i < asked->overrun_count; i++)
        if (strcmp(asked->overruns[i].kernel, draft->guess.kernel->name) == 0 &&
            strcmp(asked->overruns[i].argument, kernel_draft_parameter(draft, index)) == 0)
            return &asked->overruns[i];
    return NULL;
}

/* How many elements a buffer or local memory has: as far as indices reach, or one for each
 * work-item, or a row. */
static struct kernel_bound length_of(const struct kernel_draft *draft, unsigned index)
{
    const struct kernel_guess *guess = &draft->guess;
    const struct kernel_parameter_guess *parameter = &guess->parameters[index];
    bool local = guess->kernel->parameters[index]->pointee == CLOPT_SPACE_LOCAL;
    struct kernel_bound one = kernel_bound_constant(1), items = one;
    for (unsigned d = 0; d < guess->dimensions; d++)
        items = kernel_bound_multiply(items, local ? kernel_bound_size(KERNEL_LOCAL_SIZE + d)
                                                   : guess->global[d]);
    if (!parameter->length.known || !parameter->length.sum.count ||
        (local && kernel_bound_equal(parameter->length, one)))
        return parameter->chooser && guess->parameters[parameter->chooser - 1].is_offsets
                   ? kernel_bound_multiply(items, kernel_bound_constant(KERNEL_ROW_ELEMENTS))
                   : items;
    return parameter->written && !parameter->partly && !local
               ? parameter->length
               : kernel_bound_round_up(parameter->length);
}

/* How many elements of a buffer small runs have shown that there must be; 0: not known. */
struct need {
    const struct kernel_draft *draft;
    uint64_t counts[CLOPT_DRAFT_RUNS];
};

static uint64_t value_in(const struct need *need, const struct kernel_bound *length, unsigned run)
{
    const struct kernel_draft_run sizes = {need->draft, run + 1};
    return kernel_bound_evaluate(length, kernel_draft_value, &sizes);
}

static bool is_enough(const struct need *need, const struct kernel_bound *length)
{
    bool enough = true;
    for (unsigned r = 0; r < CLOPT_DRAFT_RUNS; r++)
        enough &= value_in(need, length, r) >= need->counts[r];
    return enough;
}

/* How many times a length is needed in a run. */
static uint64_t times_in(const struct need *need, const struct kernel_bound *length, unsigned run)
{
    uint64_t value = value_in(need, length, run);
    return value ? (need->counts[run] + value - 1) / value : 0;
}

/* A size of which lengths may consist, by its number from 1: those of [size], then local ones. */
static struct kernel_bound size_at(const struct kernel_draft *draft, size_t number)
{
    size_t count = draft->size_count;
    return kernel_bound_size(number <= count ? draft->sizes[number - 1]
                                             : (unsigned)(KERNEL_LOCAL_SIZE + number - count - 1));
}

/* How many times a length is needed in both runs, where these agree; 1 where it is enough; 0: they
 * do not. */
static uint64_t sure_times(const struct need *need, const struct kernel_bound *length)
{
    uint64_t times = times_in(need, length, 0);
    if (is_enough(need, length))
        return 1;
    bool agree = need->counts[1] && times == times_in(need, length, 1);
    return agree && times <= SURE_TIMES ? times : 0;
}

/* How many times a length is enough in both runs; 0: more than that. */
static uint64_t most_times(const struct need *need, const struct kernel_bound *length)
{
    uint64_t first = times_in(need, length, 0), second = times_in(need, length, 1);
    uint64_t most = first > second ? first : second;
    return most <= SURE_TIMES ? most : 0;
}

/* Finds the smallest product of up to three sizes, so many times, that is enough in all runs. */
static bool find_product(const struct need *need,
                         uint64_t (*times_of)(const struct need *, const struct kernel_bound *),
                         struct kernel_bound *smallest)
{
    const struct kernel_draft *draft = need->draft;
    size_t last = draft->size_count + draft->guess.dimensions;
    uint64_t least = UINT64_MAX;
    for (size_t a = 0; a <= last; a++) /* 0: one size less; short products come first */
        for (size_t b = a; b <= last; b++)
            for (size_t c = b ? b : 1; c <= last; c++) {
                struct kernel_bound product = size_at(draft, c);
                if (b)
                    product = kernel_bound_multiply(product, size_at(draft, b));
                if (a)
                    product = kernel_bound_multiply(product, size_at(draft, a));
                uint64_t times = times_of(need, &product);
                uint64_t value = value_in(need, &product, 0) * times;
                if (value && value < least) {
                    *smallest =
                        kernel_bound_multiply(product, kernel_bound_constant((int64_t)times));
                    least = value;
                }
            }
    return least != UINT64_MAX;
}

/* What explains both runs; or else what is longer than one of them needs; or else a number. */
static struct kernel_bound smallest_product(const struct need *need)
{
    const uint64_t *counts = need->counts;
    struct kernel_bound smallest =
        kernel_bound_constant((int64_t)(counts[0] > counts[1] ? counts[0] : counts[1]));
    if (!find_product(need, sure_times, &smallest))
        find_product(need, most_times, &smallest);
    return smallest;
}

/* A length that is enough in all runs: the guess, as many times as it takes in both, or else a
 * product of sizes. */
static struct kernel_bound lengthen(const struct need *need, struct kernel_bound guess)
{
    const uint64_t *counts = need->counts;
    uint64_t times = times_in(need, &guess, 0);
    int64_t number;
    bool is_shown = need->draft->asked->run < CLOPT_DRAFT_RUNS || counts[1];
    if (is_enough(need, &guess) || !is_shown) /* the last run is to show what it needs, too */
        return guess;
    if (counts[0] == counts[1] || (kernel_bound_is_number(&guess, &number) && !counts[1]))
        return kernel_bound_constant((int64_t)counts[0]);
    if (times > 0 && (counts[1] ? sure_times(need, &guess) > 0 : times <= MOST_TIMES))
        return kernel_bound_multiply(guess, kernel_bound_constant((int64_t)times));
    return smallest_product(need);
}

/* Writes the count of an argument's elements, `bytes` each, as far as runs have shown it. */
static void put_length(const struct kernel_draft *draft, unsigned index, size_t bytes)
{
    const struct clopt_overrun *overrun = overrun_of(draft, index);
    struct kernel_bound length = length_of(draft, index);
    if (draft->guess.kernel->parameters[index]->pointee_bytes <= 1)
        length = kernel_bound_divide_up(length, (int64_t)bytes);
    struct need need = {.draft = draft};
    for (unsigned r = 0; overrun && r < CLOPT_DRAFT_RUNS; r++)
        need.counts[r] = (overrun->bytes[r] + bytes - 1) / bytes;
    if (overrun)
        length = lengthen(&need, length);
    kernel_draft_put_bound(draft, &length,
                           draft->guess.kernel->parameters[index]->pointee == CLOPT_SPACE_LOCAL);
}

/* Writes what an integer is filled with that chooses elements of a buffer. */
static void put_choice(const struct kernel_draft *draft, const struct kernel_type *type,
                       const struct kernel_parameter_guess *chooser)
{
    int64_t least, greatest;
    const struct kernel_guess *guess = &draft->guess;
    struct kernel_bound most = length_of(draft, chooser->indexes - 1);
    bool global = guess->kernel->parameters[chooser->indexes - 1]->pointee == CLOPT_SPACE_GLOBAL;
    bool narrow = type->scalar_bytes < 4; /* it may not hold all indices */
    bool covers = chooser->beside.known && kernel_bound_covers(most, chooser->beside);
    kernel_type_range(type, &least, &greatest);
    if (kernel_guess_scatters(guess, chooser) && !narrow) {
        fputs(" ramp", draft->study); /* so that no two write the same row */
        return;
    }
    if (kernel_guess_rows(chooser) && !narrow) {
        fprintf(draft->study, " integers(0, %d)", KERNEL_ROWS - 1);
        return;
    }
    if (guess->parameters[chooser->indexes - 1].written && global && !narrow &&
        kernel_bound_equal(chooser->beside, kernel_bound_constant(1))) {
        fputs(" ramp", draft->study); /* so that no two write the same */
        return;
    }
    if (kernel_bound_equal(chooser->stride, kernel_bound_constant(0))) {
        /* The index is limited, whatever it is. */
        fprintf(draft->study, " integers(0, %" PRId64 ")", narrow ? greatest : 100);
        return;
    }
    most = kernel_bound_add(most, covers ? chooser->beside : kernel_bound_constant(1), -1);
    int64_t number;
    if (narrow && kernel_bound_is_number(&most, &number)) {
        fprintf(draft->study, " integers(0, %" PRId64 ")", number < greatest ? number : greatest);
        return;
    }
    fputs(narrow ? " integers(0, min(" : " integers(0, ", draft->study);
    kernel_draft_put_bound(draft, &most, false);
    if (narrow)
        fprintf(draft->study, ", %" PRId64 ")", greatest);
    fputs(")", draft->study);
}

/* Writes where rows begin: in all of the buffer whose elements they are. */
static void put_offsets(const struct kernel_draft *draft,
                        const struct kernel_parameter_guess *guess)
{
    struct kernel_bound total =
        guess->indexes ? length_of(draft, guess->indexes - 1) : kernel_guess_items(&draft->guess);
    fputs(" offsets(", draft->study);
    kernel_draft_put_bound(draft, &total, false);
    fputs(")", draft->study);
}

/* Returns the size that a number of a structure is, by where it lies; NULL: it is none. */
static const char *member_size(const struct kernel_draft *draft, unsigned index, size_t offset)
{
    const struct kernel_guess *guess = &draft->guess;
    for (size_t i = guess->kernel->parameter_count; i < guess->count; i++)
        if (guess->fields[i].structure == guess->kernel->parameters[index] &&
            guess->fields[i].member->offset == offset && guess->parameters[i].is_size)
            return kernel_draft_size(draft, KERNEL_PARAMETER + (unsigned)i);
    return NULL;
}

/* Whether some number of a structure is a size. */
static bool has_sizes(const struct kernel_draft *draft, const struct kernel_type *type,
                      unsigned index)
{
    bool any = false;
    for (size_t m = 0; m < type->member_count; m++)
        any |= member_size(draft, index, type->members[m].offset) != NULL;
    return any;
}

static void put_content(const struct kernel_draft *draft, const struct kernel_type *type,
                        unsigned index)
{
    FILE *study = draft->study;
    bool each = has_sizes(draft, type, index);
    bool reals = false, integers = false;
    for (size_t m = 0; m < type->member_count; m++) {
        reals |= type->members[m].type.kind == KERNEL_REAL;
        integers |= type->members[m].type.kind != KERNEL_REAL;
    }
    each |= reals && integers;
    for (size_t m = 0; m < (each ? type->member_count : reals || integers); m++) {
        const char *size = member_size(draft, index, type->members[m].offset);
        fprintf(study, "%s %s%s%s", m ? "," : "", size ? "constant(" : "",
                size                                        ? size
                : type->members[m].type.kind == KERNEL_REAL ? "uniform(0, 1)"
                                                            : "integers(0, 3)",
                size ? ")" : "");
    }
    if (type->member_count)
        return;
    if (type->kind == KERNEL_STRUCT)
        fputs(draft->guess.parameters[index].indexes ? " zero" : " bytes", study);
    else if (type->kind == KERNEL_REAL)
        fputs(type->scalar == CLOPT_SCALAR_HALF && kernel_guess_may_center(&draft->guess)
                  ? " uniform(-1, 1)"
                  : " uniform(0, 1)",
              study);
    else if (draft->guess.parameters[index].counts && !draft->guess.parameters[index].is_plain)
        fputs(" zero", study); /* counters */
    else if (draft->guess.parameters[index].is_offsets && type->scalar_bytes >= 4)
        put_offsets(draft, &draft->guess.parameters[index]);
    else if (draft->guess.parameters[index].indexes)
        put_choice(draft, type, &draft->guess.parameters[index]);
    else
        fputs(" integers(0, 100)", study);
}

/* Says what is not sure about a buffer. */
static void put_doubts(const struct kernel_draft *draft, unsigned index, bool zeroed)
{
    const struct kernel_parameter_guess *parameter = &draft->guess.parameters[index];
    const struct clopt_overrun *overrun = overrun_of(draft, index);
    bool longer = false;
    for (size_t r = 0; overrun && r < CLOPT_DRAFT_RUNS; r++)
        longer |= overrun->bytes[r] != 0;
    bool unknown = !longer && (parameter->unclear || !parameter->length.known);
    fprintf(draft->study, " ; guess%s%s",
            longer    ? ": as long as a check needed it"
            : unknown ? ": the source does not say how long"
                      : "",
            !parameter->indexes && !zeroed ? ""
            : longer || unknown            ? "; "
                                           : ": ");
    if (parameter->indexes)
        fprintf(draft->study, "chooses %s of %s",
                kernel_guess_rows(parameter) ? "rows" : "elements",
                kernel_draft_parameter(draft, parameter->indexes - 1));
    fputs(!parameter->indexes && zeroed ? "not all of it may be written\n" : "\n", draft->study);
}

/* Whether a length is that of so many elements for each work-item: then all of it may be written.
 */
static bool follows_items(const struct kernel_draft *draft, const struct kernel_bound *length)
{
    const struct kernel_guess *guess = &draft->guess;
    struct kernel_bound rest = *length;
    for (unsigned d = 0; d < guess->dimensions; d++)
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS; k++) {
            unsigned symbol = guess->global[d].sum.terms[0].symbols[k];
            if (symbol && symbol < KERNEL_LOCAL_SIZE && !kernel_bound_divide(&rest, symbol))
                return false;
        }
    return length->sum.count == 1;
}

/* Bytes, or void, that the kernel takes for numbers of some type are such numbers: a structure of
 * one fits to any parameter. */
static void put_numbers(const struct kernel_draft *draft, unsigned index, struct kernel_type *type,
                        char *name, size_t size)
{
    const struct clopt_node *as = draft->guess.parameters[index].as;
    size_t own = draft->guess.kernel->parameters[index]->pointee_bytes;
    char number[32];
    struct kernel_type read = {.width = 1};
    if (own > 1 || !as)
        return;
    clopt_scalar_print(as->scalar, as->width, number, sizeof number);
    if (!read_members(number, clopt_scalar_bytes(as->scalar, as->width), &read))
        return;
    kernel_type_fini(type);
    *type = read;
    snprintf(name, size, "struct(%s)", number);
}

static void put_buffer(const struct kernel_draft *draft, const char *name,
                       const struct kernel_type *type, unsigned index)
{
    const struct kernel_parameter_guess *parameter = &draft->guess.parameters[index];
    /* Of a work-group's part, one work-item is enough. */
    bool groups = kernel_draft_follows_groups(&parameter->length);
    bool doubtful = (parameter->partly && !groups) || parameter->unclear ||
                    overrun_of(draft, index) ||
                    !(groups || follows_items(draft, &parameter->length));
    bool zeroed = parameter->written && !parameter->read && doubtful;
    const char *use = !parameter->written         ? "input"
                      : parameter->read || zeroed ? "inout"
                                                  : "output";
    fprintf(draft->study, "%s = %s %s[", kernel_draft_parameter(draft, index), use, name);
    put_length(draft, index, kernel_type_bytes(type));
    fputs("]", draft->study);
    if (zeroed)
        fputs(" zero", draft->study);
    else if (strcmp(use, "output") != 0)
        put_content(draft, type, index);
    put_doubts(draft, index, zeroed);
}

static void put_scalar(const struct kernel_draft *draft, const char *name,
                       const struct kernel_type *type, unsigned index)
{
    const char *parameter = kernel_draft_parameter(draft, index);
    struct kernel_guess const *guess = &draft->guess;
    if (guess->parameters[index].role == KERNEL_STRIDE) {
        struct kernel_bound stride = kernel_stride(guess, index);
        fprintf(draft->study, "%s = %s ", parameter, name);
        kernel_draft_put_bound(draft, &stride, false);
        fputs(" ; guess: bytes\n", draft->study);
    } else if (guess->parameters[index].role == KERNEL_BLOCK)
        fprintf(draft->study, "%s = %s %s ; guess: the local size\n", parameter, name,
                draft->local[0]);
    else if (guess->parameters[index].is_size)
        fprintf(draft->study, "%s = %s %s\n", parameter, name,
                kernel_draft_size(draft, KERNEL_PARAMETER + index));
    else if (type->members) {
        fprintf(draft->study, "%s = %s", parameter, name);
        /* One value for each number of a structure. */
        for (size_t c = 0; c < kernel_type_components(type); c++) {
            struct kernel_component component = kernel_type_component(type, c);
            const char *size = member_size(draft, index, component.offset);
            fprintf(draft->study, "%s%s", c ? ", " : " ",
                    size                                 ? size
                    : component.type.kind == KERNEL_REAL ? "0.5"
                                                         : "1");
        }
        fputs(" ; guess\n", draft->study);
    } else
        fprintf(draft->study, "%s = %s %s ; guess\n", parameter, name,
                type->kind == KERNEL_REAL                        ? "0.5"
                : guess->parameters[index].role == KERNEL_OFFSET ? "0"
                                                                 : "1");
}

/* Images and samplers; false where the type is none. */
static bool put_image(const struct kernel_draft *draft, const char *name, unsigned index)
{
    FILE *study = draft->study;
    const struct clopt_variable *variable = draft->guess.kernel->parameters[index];
    if (strcmp(name, "sampler_t") == 0) {
        fprintf(study, "%s = sampler nearest clamp_to_edge unnormalized ; guess\n", variable->name);
        return true;
    }
    if (strncmp(name, "image", 5) != 0)
        return false;
    const char *channels = draft->guess.parameters[index].channels;
    bool written = kernel_is_written_image(variable);
    bool real = !channels || *channels == 'f' || *channels == 'h';
    fprintf(study, "%s = %s image %s[", variable->name, written ? "output" : "input",
            channels ? channels : "float4");
    for (unsigned d = 0; d < (unsigned)(name[5] - '0') && d < 3; d++) {
        fputs(d ? ", " : "", study);
        kernel_draft_put_bound(draft, &draft->guess.global[d], false);
    }
    fprintf(study, "]%s ; guess\n", written ? "" : real ? " uniform(0, 1)" : " integers(0, 255)");
    return true;
}

static void put_argument(const struct kernel_draft *draft, unsigned index)
{
    const struct clopt_variable *variable = draft->guess.kernel->parameters[index];
    CLOPT_OWNED(kernel_type) type = {.kind = KERNEL_STRUCT, .scalar_bytes = 16, .width = 1};
    char name[600];
    kernel_parameter_type_name(variable, name, sizeof name);
    if (put_image(draft, name, index))
        return;
    if (variable->is_pointer && variable->pointee == CLOPT_SPACE_GLOBAL)
        put_numbers(draft, index, &type, name, sizeof name);
    if (!type.members && !kernel_type_named(name, &type))
        put_structure(draft, variable, &type, name, sizeof name);
    if (variable->is_pointer && variable->pointee == CLOPT_SPACE_LOCAL) {
        fprintf(draft->study, "%s = local %s[", kernel_draft_parameter(draft, index), name);
        put_length(draft, index, kernel_type_bytes(&type));
        fputs("] ; guess\n", draft->study);
    } else if (variable->is_pointer)
        put_buffer(draft, name, &type, index);
    else
        put_scalar(draft, name, &type, index);
}

void kernel_draft_arguments(const struct kernel_draft *draft)
{
    for (size_t i = 0; i < draft->guess.kernel->parameter_count; i++)
        put_argument(draft, (unsigned)i);
}
