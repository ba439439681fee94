/* SPDX-License-Identifier: BSD-3-Clause */
/* An app whose variants do everything that a variant must not do, one each. */
#include <clopt/clopt.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Values of the knob; the kernel knows those that are its own. */
enum behaviour {
    HEALTHY = 1,
    CRASH_ON_HOST,
    CRASH_IN_COMPILER,
    NO_COMPILE,
    LOOP_IN_KERNEL,
    LOOP_ON_HOST,
    EXHAUST_MEMORY,
    WRITE_OUTSIDE,
    WRONG_NUMBERS,
    NOT_A_NUMBER,
    UNWRITTEN_OUTPUT,
    HEALTHY_TOO,
    EXIT_ON_HOST,
    ABORT_IN_CHECK,
    LOSE_DEVICE,
    RACE,
    READ_OUTSIDE,
    PRINT_ON_HOST,
    KILLED_ONCE,
    KILLED,
    OTHER_LATER,
    WRONG_LATER,
    WRITES_LATE,
    STOPS_PARENT,
    KILLS_GROUP,
    ASKS_FOR_MEMORY,
    WRONG_FROM_CACHE,
    WRONG_FROM_ANY_CACHE,
};

enum { INPUT, OUTPUT };

#define ELEMENTS 4096

struct hostile_state {
    float input[ELEMENTS];
    float expected[ELEMENTS];
};

static const struct clopt_kernel kernels[] = {
    {.name = "twice", .dimensions = 1, .any_local_size = true}, {.name = NULL}};

static const struct clopt_parameter inputs[] = {
    {.name = "size", .type = CLOPT_INTEGER, .legal = "1..", .initial = "1", .help = "of no use"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "geometry",
     .parameter = "block_size",
     .macro = "BEHAVIOUR",
     .legal = "1..28",
     .initial = "1",
     .help = "what the variant does"},
    {.parameter = NULL},
};

static int64_t behaviour(const struct clopt_problem *problem)
{
    return clopt_values_integer(problem->knobs, "block_size");
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *state,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    (void)problem, (void)state, (void)kernel, (void)error;
    work->ndrange = CLOPT_RANGE1(ELEMENTS, 64);
    work->operations = ELEMENTS;
    return CLOPT_OK;
}

static enum clopt_status setup(const struct clopt_problem *problem, void **state,
                               struct clopt_error *error)
{
    struct hostile_state *made = malloc(sizeof *made);
    if (!made)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory");
    struct clopt_random random = clopt_random_seed(problem->seed, 0);
    for (size_t i = 0; i < ELEMENTS; i++) {
        made->input[i] = (float)clopt_random_real(&random);
        made->expected[i] = 2 * made->input[i];
    }
    *state = made;
    return CLOPT_OK;
}

static enum clopt_status prepare(void *state, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    (void)problem;
    struct hostile_state *mine = state;
    enum clopt_status status =
        clopt_buffer(session, INPUT, "input", CLOPT_INPUT, sizeof mine->input, mine->input);
    if (!status)
        status = clopt_buffer(session, OUTPUT, "output", CLOPT_OUTPUT, sizeof mine->input, NULL);
    return status;
}

/* Takes a quarter more than the study allows, and waits to be ended: the machine itself need not
 * have more. */
static void exhaust_memory(void)
{
    for (int i = 0; i < 80; i++) {
        char *memory = malloc((size_t)16 << 20);
        if (memory)
            memset(memory, 1, (size_t)16 << 20);
    }
    for (;;)
        pause();
}

/* Adds a line to the file that HOSTILE_TRACE names; returns how often it has that line already. */
static unsigned leave_trace(int64_t what, const char *event)
{
    const char *path = getenv("HOSTILE_TRACE");
    FILE *stream = path ? fopen(path, "a+") : NULL;
    char line[64], wanted[64];
    unsigned found = !path;
    snprintf(wanted, sizeof wanted, "%d %s\n", (int)what, event);
    while (stream && fgets(line, sizeof line, stream))
        found += strcmp(line, wanted) == 0;
    if (stream) {
        fputs(wanted, stream);
        fclose(stream);
    }
    return found;
}

/* Shows when it runs, for a while the first time; or is killed then as if from outside. */
static void be_traced(int64_t what)
{
    bool again = leave_trace(what, "begins") > 0;
    if (what == KILLED || (what == KILLED_ONCE && !again))
        kill(getpid(), SIGKILL);
    if (what == KILLED_ONCE || !again)
        poll(NULL, 0, 500);
    leave_trace(what, "ends");
}

/* Does on the host what this variant is there for, unless it is told to be good. */
static void misbehave(int64_t what)
{
    volatile int zero = 0;
    if (getenv("HOSTILE_IS_GOOD"))
        return;
    switch (what) {
    case CRASH_ON_HOST:
        signal(SIGSEGV, SIG_DFL); /* sanitizers or not */
        raise(SIGSEGV);
        break;
    case LOOP_ON_HOST:
        while (!zero)
            usleep(1000); /* takes no time from other tests */
        break;
    case EXHAUST_MEMORY:
        exhaust_memory();
        break;
    case PRINT_ON_HOST:
        while (!zero)
            puts("a line of many that fill the disk");
        break;
    case EXIT_ON_HOST:
#ifdef __SANITIZE_ADDRESS__
        quick_exit(0); /* to look for leaks at exit takes as much memory once more */
#endif
        exit(0);
    case STOPS_PARENT:
        kill(getppid(), SIGSTOP);
        break;
    case ASKS_FOR_MEMORY:
        free(clopt_realloc(NULL, SIZE_MAX / 2, 3)); /* a product that no size_t holds */
        break;
    case KILLS_GROUP:
        kill(0, SIGKILL);
        break;
    default:
        be_traced(what);
        break;
    }
}

/* After its first launch, computes something as good as what was right, or wrong. */
static enum clopt_status change(const struct hostile_state *state, int64_t what,
                                struct clopt_session *session)
{
    float first = state->expected[0];
    if (what != OTHER_LATER && what != WRONG_LATER)
        return CLOPT_OK;
    if (leave_trace(what, "launched") > 0)
        first = what == WRONG_LATER ? -1 : first * 1.0000002f;
    return clopt_write(session, OUTPUT, 0, sizeof first, &first);
}

/* Computes wrong while the driver has the cache that HOSTILE_CACHE names, as with a wrong build
 * there; or with any. */
static enum clopt_status be_cached(int64_t what, struct clopt_session *session)
{
    const char *wrong = getenv("HOSTILE_CACHE"), *cache = getenv("POCL_CACHE_DIR");
    const float first = -1;
    bool own = wrong && cache && strcmp(wrong, cache) != 0;
    if (what != WRONG_FROM_CACHE && what != WRONG_FROM_ANY_CACHE && !getenv("HOSTILE_ALL_CACHED"))
        return CLOPT_OK;
    leave_trace(what, own ? "its own cache" : "the cache of all");
    if (!wrong || (own && what != WRONG_FROM_ANY_CACHE))
        return CLOPT_OK;
    return clopt_write(session, OUTPUT, 0, sizeof first, &first);
}

/* Writes to its input when the process comes back to this variant the third time: once it was
 * launched and verified, and once measured at least, without a fault. */
static enum clopt_status write_late(int64_t what, struct clopt_session *session)
{
    static int64_t last;
    static unsigned visits;
    visits += what == WRITES_LATE && last != what;
    last = what;
    if (what != WRITES_LATE || visits != 3)
        return CLOPT_OK;
    leave_trace(what, "wrote");
    return clopt_launch(session, 0, CLOPT_RANGE1(ELEMENTS, 64), CLOPT_BUFFER(OUTPUT),
                        CLOPT_BUFFER(INPUT));
}

static enum clopt_status launch(void *state, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    misbehave(behaviour(problem));
    if (behaviour(problem) == LOSE_DEVICE)
        return clopt_fail(clopt_session_error(session), CLOPT_DEVICE_LOST, "the device is gone");
    enum clopt_status status = clopt_launch(session, 0, CLOPT_RANGE1(ELEMENTS, 64),
                                            CLOPT_BUFFER(INPUT), CLOPT_BUFFER(OUTPUT));
    if (!status)
        status = write_late(behaviour(problem), session);
    if (!status)
        status = be_cached(behaviour(problem), session);
    return status ? status : change(state, behaviour(problem), session);
}

static enum clopt_status check(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    struct hostile_state *mine = state;
    if (behaviour(problem) == ABORT_IN_CHECK)
        abort();
    leave_trace(behaviour(problem), problem->seed == 1 ? "checked" : "checked with another seed");
    return clopt_compare(session, OUTPUT, CLOPT_FLOAT32, mine->expected, ELEMENTS, 0, 1e-6,
                         verdict);
}

static const struct clopt_app app = {
    .dwarf = "hostility",
    .source = "hostile.cl",
    .kernels = kernels,
    .inputs = inputs,
    .knobs = knobs,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
};

CLOPT_APP_PLUGIN("hostile", "variants that crash, hang, lie and waste", &app);
