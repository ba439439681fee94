/* SPDX-License-Identifier: BSD-3-Clause */
/* What the sizes of a drafted study are called, and which values they get. */
#include "draft.h"

#define MOST_TILE     32  /* rows and columns of local memory */
#define MOST_WORK     4e7 /* iterations of all work-items: a processor takes tens of milliseconds */
#define MOST_SMALL    4e6 /* the same in small runs, whose accesses are all checked */
#define MOST_HALVINGS 6

/* ---- names ---- */

const char *kernel_draft_parameter(const struct kernel_draft *draft, size_t index)
{
    const struct kernel_guess *guess = &draft->guess;
    return index < guess->kernel->parameter_count ? guess->kernel->parameters[index]->name
                                                  : guess->fields[index].member->name;
}

const char *kernel_draft_size(const void *user, unsigned size)
{
    const struct kernel_draft *draft = user;
    if (size >= KERNEL_LOCAL_SIZE)
        return draft->number[size - KERNEL_LOCAL_SIZE];
    if (size >= KERNEL_GROUPS)
        return draft->groups[size - KERNEL_GROUPS];
    if (size >= KERNEL_GLOBAL_SIZE)
        return draft->own[size - KERNEL_GLOBAL_SIZE];
    size -= KERNEL_PARAMETER;
    return draft->renamed[size][0] ? draft->renamed[size] : kernel_draft_parameter(draft, size);
}

/* The same for local memory, whose length may follow a parameter. */
static const char *local_name(const void *user, unsigned size)
{
    const struct kernel_draft *draft = user;
    return size >= KERNEL_LOCAL_SIZE ? draft->local[size - KERNEL_LOCAL_SIZE]
                                     : kernel_draft_size(user, size);
}

void kernel_draft_put_bound(const struct kernel_draft *draft, const struct kernel_bound *bound,
                            bool local)
{
    CLOPT_FREED char *text =
        clopt_affine_print(&bound->sum, " * ", local ? local_name : kernel_draft_size, draft);
    fputs(text ? text : "", draft->study);
}

static bool is_name_taken(const struct kernel_draft *draft, const char *name)
{
    for (size_t i = 0; i < draft->guess.count; i++)
        if (strcmp(kernel_draft_parameter(draft, i), name) == 0)
            return true;
    return false;
}

/* Names that mean something else in expressions cannot be those of sizes. */
static void rename_sizes(struct kernel_draft *draft)
{
    static const char *const words[] = {"i", "j", "in", "and", "or", "not", "True", "False"};
    const struct kernel_guess *guess = &draft->guess;
    for (size_t p = 0; p < guess->count; p++) {
        const char *name = kernel_draft_parameter(draft, p);
        bool taken = false;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            taken |= strcmp(name, words[i]) == 0;
        for (size_t i = 0; p >= guess->kernel->parameter_count && i < p; i++)
            taken |= strcmp(name, kernel_draft_parameter(draft, i)) == 0; /* a member */
        if (taken)
            snprintf(draft->renamed[p], sizeof draft->renamed[p], "%s_%s",
                     p < guess->kernel->parameter_count ? "size" : guess->fields[p].structure->name,
                     name);
    }
}

static void name_own_sizes(struct kernel_draft *draft)
{
    static const char *const names[] = {"width", "height", "depth"};
    for (unsigned d = 0; d < 3; d++) {
        const char *name = draft->guess.dimensions == 1 ? "n" : names[d];
        snprintf(draft->own[d], sizeof draft->own[d],
                 is_name_taken(draft, name) ? "global_%s" : "%s", name);
    }
}

/* ---- the local size ---- */

/* The local size of the initial code; what nothing says is smaller in small runs, in the first one
 * most of all: the second one shows which lengths follow it. */
static unsigned local_size(const struct kernel_draft *draft, unsigned d, unsigned run)
{
    static const unsigned defaults[][3] = {{64, 16, 4}, {4, 4, 2}, {8, 8, 2}};
    const struct clopt_outline_macro *macro = draft->guess.macro[d];
    unsigned long value = macro ? strtoul(macro->value, NULL, 10) : draft->guess.local[d];
    uint64_t most = draft->guess.most_local[d];
    if (value)
        return (unsigned)value;
    value = defaults[run][draft->guess.dimensions - 1];
    while (most && value > most)
        value /= 2;
    return (unsigned)value;
}

/* Names the local size, and how many work-groups there are. Buffers are as long for all variants,
 * so where the local size is a parameter there are as many groups as there may be at most. */
static void choose_local(struct kernel_draft *draft)
{
    for (unsigned d = 0; d < draft->guess.dimensions; d++) {
        const struct clopt_outline_macro *macro = draft->guess.macro[d];
        struct kernel_bound count = draft->guess.global[d];
        bool whole = kernel_bound_divide(&count, KERNEL_LOCAL_SIZE + d);
        snprintf(draft->number[d], sizeof draft->number[d], "%u",
                 local_size(draft, d, draft->asked->run));
        snprintf(draft->local[d], sizeof draft->local[d], "%s",
                 macro ? macro->name : draft->number[d]);
        CLOPT_FREED char *text = clopt_affine_print(&count.sum, " * ", kernel_draft_size, draft);
        bool rounds = !whole && !macro;
        snprintf(draft->groups[d], sizeof draft->groups[d], "%s%s%s%s%s",
                 rounds  ? "ceildiv("
                 : whole ? ""
                         : "(",
                 text ? text : "", rounds ? ", " : "", rounds ? draft->local[d] : "",
                 whole ? "" : ")");
    }
}

bool kernel_draft_is_guarded(const struct kernel_guess *guess)
{
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (!guess->guarded[d])
            return false;
    return true;
}

bool kernel_draft_follows_groups(const struct kernel_bound *length)
{
    struct kernel_bound rest = *length;
    bool group = false;
    int64_t number;
    for (unsigned d = 0; d < 3; d++)
        group |= kernel_bound_divide(&rest, KERNEL_GROUPS + d);
    return group && kernel_bound_is_number(&rest, &number);
}

/* Whether some dimension has a size. */
static bool is_global(const struct kernel_guess *guess, unsigned size)
{
    bool found = false;
    for (unsigned d = 0; d < guess->dimensions; d++)
        found |= kernel_bound_has(&guess->global[d], size);
    return found;
}

/* What a size has to be a multiple of: the local size, where the global one is not rounded up. */
static unsigned unit_of(const struct kernel_draft *draft, unsigned size, unsigned run)
{
    const struct kernel_guess *guess = &draft->guess;
    unsigned unit = (guess->dimensions == 3 ? 4 : 16) / (run ? 2 : 1);
    if (run && unit >> draft->halvings[run])
        unit >>= draft->halvings[run];
    else if (run)
        unit = 1;
    for (unsigned d = 0; d < guess->dimensions && !kernel_draft_is_guarded(guess); d++) {
        unsigned local = local_size(draft, d, run);
        bool tiled = !is_global(guess, size) && local <= MOST_TILE; /* for all that is known */
        if (local > unit &&
            (tiled || kernel_bound_equal(guess->global[d], kernel_bound_size(size))))
            unit = local;
    }
    return unit;
}

/* A value for a size of [size]; each has another one in small runs. */
static unsigned suggest(const struct kernel_draft *draft, unsigned size, unsigned run)
{
    static const unsigned defaults[] = {1024, 256, 64};
    const struct kernel_guess *guess = &draft->guess;
    const struct kernel_parameter_guess *parameter =
        size < KERNEL_GLOBAL_SIZE ? &guess->parameters[size - KERNEL_PARAMETER] : NULL;
    unsigned unit = unit_of(draft, size, run), position = 0;
    while (position < draft->size_count && draft->sizes[position] != size)
        position++;
    position %= 8;
    unsigned count = draft->size_count < 8 ? (unsigned)draft->size_count : 8;
    if (parameter && parameter->role == KERNEL_SMALL)
        return 4;
    bool chosen =
        parameter && (parameter->role == KERNEL_INDEX || parameter->role == KERNEL_OFFSET);
    if (chosen && !is_global(guess, size)) /* whatever its name is like */
        return parameter->role == KERNEL_INDEX;
    if (run) /* the second time the other way round, from 1 */
        return unit * (run == 1 ? 2 + 2 * position : 1 + 2 * (count - position));
    if (parameter && !parameter->is_length)
        return 16;
    bool inner = !is_global(guess, size) && guess->dimensions == 1;
    unsigned value = (inner ? 256 : defaults[guess->dimensions - 1]) >> draft->halvings[0];
    return (value + unit - 1) / unit * unit;
}

bool kernel_draft_value(const void *user, unsigned size, int64_t *value)
{
    const struct kernel_draft_run *run = user;
    unsigned d = (size - KERNEL_GLOBAL_SIZE) % 3;
    if (size < KERNEL_GROUPS) {
        *value = suggest(run->draft, size, run->number);
        return true;
    }
    int64_t local = local_size(run->draft, d, run->number);
    const struct kernel_bound *items = &run->draft->guess.global[d];
    *value =
        size >= KERNEL_LOCAL_SIZE
            ? local
            : ((int64_t)kernel_bound_evaluate(items, kernel_draft_value, run) + local - 1) / local;
    return true;
}

/* How often all work-items together come to a node, at most. */
static double work_at(const struct kernel_draft_run *run, const struct clopt_node *node)
{
    const struct kernel_guess *guess = &run->draft->guess;
    double iterations = 1;
    for (const struct clopt_node *at = node; at; at = at->parent) {
        const struct clopt_node *step = at->kind == CLOPT_NODE_FOR ? kernel_plain(at->step) : NULL;
        if (!step || !step->child_count)
            continue;
        struct kernel_bound last = kernel_upper(guess, step->children[0]);
        iterations *= 1 + (double)kernel_bound_evaluate(&last, kernel_draft_value, run);
    }
    struct kernel_bound items = kernel_guess_items(guess);
    return iterations * (double)kernel_bound_evaluate(&items, kernel_draft_value, run);
}

/* Halves the sizes of a run until loops over them take milliseconds. */
static void choose_halvings(struct kernel_draft *draft, unsigned number)
{
    const struct kernel_draft_run run = {draft, number};
    const double most = number ? MOST_SMALL : MOST_WORK;
    unsigned *halvings = &draft->halvings[number];
    for (*halvings = 0; *halvings < MOST_HALVINGS; ++*halvings) {
        const struct clopt_node *body = draft->guess.kernel->body, *at = body;
        while (at && work_at(&run, at) <= most)
            at = clopt_node_next(at, body);
        if (!at)
            break;
    }
    if (number && draft->asked->halvings)
        *halvings += draft->asked->halvings[number - 1];
}

/* Lists the sizes of which lengths can consist. */
static void list_sizes(struct kernel_draft *draft)
{
    const struct kernel_guess *guess = &draft->guess;
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (kernel_bound_equal(guess->global[d], kernel_bound_size(KERNEL_GLOBAL_SIZE + d)))
            draft->sizes[draft->size_count++] = KERNEL_GLOBAL_SIZE + d;
    for (unsigned i = 0; i < guess->count; i++)
        if (guess->parameters[i].is_size && guess->parameters[i].role != KERNEL_BLOCK)
            draft->sizes[draft->size_count++] = KERNEL_PARAMETER + i;
}

void kernel_draft_name(struct kernel_draft *draft)
{
    name_own_sizes(draft);
    rename_sizes(draft);
    list_sizes(draft);
    choose_local(draft);
    for (unsigned run = 0; run <= CLOPT_DRAFT_RUNS; run++)
        choose_halvings(draft, run);
}
