/* SPDX-License-Identifier: BSD-3-Clause */
/* bfs: breadth-first search of a graph (thesis, section 6.5). */

#include "levels.h"

enum { KERNEL1, KERNEL2 };
enum { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER };

#define DEFAULT_NODES  65536
#define DEFAULT_DEGREE 6

/* A work-group that every device takes. */
#define LOCAL_SIZE 256

/* With `packed`, the nodes of a word of a mask, and of a vector of words. */
#define WORD_NODES   32
#define VECTOR_NODES 512

/* A level is large when it has more than this part of the nodes that are left. */
#define LARGE_PART 14

/* What is kept on disk: levels of all nodes follow. */
struct reference {
    struct bfs_extent extent;
    int32_t levels[];
};

struct bfs_state {
    struct bfs_graph graph;
    size_t source;
    const struct reference *reference;
};

static const struct clopt_kernel kernels[] = {
    [KERNEL1] = {"kernel1", 1, true},
    [KERNEL2] = {"kernel2", 1, true},
    {NULL, 0, false},
};

static const struct clopt_parameter inputs[] = {
    {.name = "nodes",
     .type = CLOPT_INTEGER,
     .legal = "1.." CLOPT_STRING(BFS_MOST_NODES),
     .initial = CLOPT_STRING(DEFAULT_NODES),
     .help = "nodes of a random graph (the thesis: 65536; to try: 1000); left out where input is "
             "given",
     .without = "input"},
    {.name = "degree",
     .type = CLOPT_INTEGER,
     .legal = "0..1000",
     .initial = CLOPT_STRING(DEFAULT_DEGREE),
     .help = "edges of a random graph's node, on average; each leads both ways",
     .without = "input"},
    {.name = "graph",
     .type = CLOPT_TEXT,
     .legal = "uniform, rmat",
     .initial = "uniform",
     .help = "random graph: all edges are as likely, or R-MAT with few hubs, as Graph500 has it",
     .without = "input"},
    {.name = "input",
     .type = CLOPT_FILE,
     .help = "graph file of Rodinia or OpenDwarfs, SNAP edge list, or Matrix Market file"},
    {.name = "source",
     .type = CLOPT_INTEGER,
     .legal = "0..",
     .help = "node to search from, counted from 0; what the file names, or else 0, where left out"},
    {.name = NULL},
};

static const struct clopt_knob knobs[] = {
    {.optimization = "memory",
     .parameter = "packed",
     .macro = "PACKED",
     .legal = "0, 1",
     .initial = "0",
     .help =
         "1: masks have a bit a node, and work-items 32 nodes, which look for a neighbour in the "
         "level where that is large"},
    {.parameter = NULL},
};

static const struct clopt_parameter results[] = {
    {.name = "levels",
     .type = CLOPT_FILE,
     .help = "a line for each node: its distance from the source in edges, or -1"},
    {.name = NULL},
};

/* Finds values that cannot go together. */
static enum clopt_status check_inputs(const struct clopt_problem *problem,
                                      struct clopt_error *error)
{
    bool path = clopt_values_has(problem->inputs, "input");
    int64_t nodes = clopt_values_integer(problem->inputs, "nodes");
    int64_t degree = clopt_values_integer(problem->inputs, "degree");
    int64_t source = clopt_values_integer(problem->inputs, "source");
    if (!path && bfs_random_edges((uint64_t)nodes, (uint64_t)degree) > BFS_MOST_EDGES)
        return clopt_fail(error, CLOPT_INVALID,
                          "nodes = %" PRId64 " and degree = %" PRId64 ": %" PRIu64
                          " edges, at most %d are possible",
                          nodes, degree, bfs_random_edges((uint64_t)nodes, (uint64_t)degree),
                          BFS_MOST_EDGES);
    if (!path && source >= nodes)
        return clopt_fail(error, CLOPT_INVALID, "source = %" PRId64 ": the nodes are 0 to %" PRId64,
                          source, nodes - 1);
    return CLOPT_OK;
}

static bool is_packed(const struct clopt_problem *problem)
{
    return clopt_values_integer(problem->knobs, "packed");
}

static struct clopt_ndrange ndrange_of(const struct clopt_problem *problem, unsigned kernel,
                                       size_t nodes)
{
    size_t own = !is_packed(problem) ? 1 : kernel == KERNEL1 ? WORD_NODES : VECTOR_NODES;
    return CLOPT_RANGE1(clopt_round_up(clopt_divide_up(nodes, own), LOCAL_SIZE), LOCAL_SIZE);
}

/* Counts the work of a search.
 *
 * Operations of kernel1: an addition for the end of a node's edges, one for each edge on the way
 * there, and one for each level that is given, as often as it is given. kernel2 computes nothing.
 * Bytes: a mask of all nodes, read in each launch; and in kernel1 for each node that is reached,
 * the node (8), its level (4) and the mask (1); for each edge, where it leads to (4) and whether
 * that is visited (1); for each edge to the next level, level and mask (5). In kernel2 for each
 * node but the source three masks, and in each launch but the last the word that says so. */
static void count_work(unsigned kernel, size_t nodes, const struct bfs_extent *extent,
                       struct clopt_kernel_work *work)
{
    double masks = (double)extent->levels * (double)nodes;
    double reached = (double)extent->reached;
    work->arithmetic = CLOPT_ARITHMETIC_INTEGER;
    if (kernel == KERNEL1) {
        work->operations = reached + (double)extent->edges + (double)extent->downward;
        work->bytes =
            masks + 13 * reached + 5 * (double)extent->edges + 5 * (double)extent->downward;
    } else {
        work->bytes = masks + 3 * (reached - 1) + 4 * (double)(extent->levels - 1);
    }
}

static enum clopt_status describe(const struct clopt_problem *problem, const void *user,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    const struct bfs_state *state = user;
    CLOPT_TRY(check_inputs(problem, error));
    unsigned index = (unsigned)(kernel - kernels);
    *work = (struct clopt_kernel_work){.ndrange = CLOPT_RANGE1(0, LOCAL_SIZE)};
    if (state) {
        work->ndrange = ndrange_of(problem, index, state->graph.node_count);
        count_work(index, state->graph.node_count, &state->reference->extent, work);
    } else if (!clopt_values_has(problem->inputs, "input")) {
        work->ndrange =
            ndrange_of(problem, index, (size_t)clopt_values_integer(problem->inputs, "nodes"));
    }
    return CLOPT_OK;
}

static size_t reference_bytes(const struct bfs_graph *graph)
{
    return sizeof(struct reference) + graph->node_count * sizeof(int32_t);
}

static void teardown(void *user)
{
    CLOPT_FREED struct bfs_state *state = user;
    clopt_cached_release(state->reference, reference_bytes(&state->graph));
    bfs_graph_fini(&state->graph);
}

static enum clopt_status fill_reference(void *user, void *data, size_t bytes,
                                        struct clopt_error *error)
{
    const struct bfs_state *state = user;
    struct reference *reference = data;
    (void)bytes;
    CLOPT_TRY(bfs_levels_search(&state->graph, state->source, reference->levels, error));
    return bfs_levels_validate(&state->graph, state->source, reference->levels, &reference->extent,
                               error);
}

static enum clopt_status choose_source(const struct clopt_problem *problem, struct bfs_state *state,
                                       struct clopt_error *error)
{
    int64_t source = state->graph.source < 0 ? 0 : state->graph.source;
    if (clopt_values_has(problem->inputs, "source"))
        source = clopt_values_integer(problem->inputs, "source");
    if ((uint64_t)source >= state->graph.node_count)
        return clopt_fail(error, CLOPT_INVALID, "source = %" PRId64 ": the nodes are 0 to %zu",
                          source, state->graph.node_count - 1);
    state->source = (size_t)source;
    return CLOPT_OK;
}

static enum clopt_status setup(const struct clopt_problem *problem, void **user,
                               struct clopt_error *error)
{
    struct bfs_state *state = *user = clopt_calloc(1, sizeof *state);
    const void *reference = NULL;
    CLOPT_TRY(bfs_graph_create(problem, &state->graph, error));
    CLOPT_TRY(choose_source(problem, state, error));
    CLOPT_TRY(clopt_cached(problem, "levels", reference_bytes(&state->graph), fill_reference, state,
                           &reference, error));
    state->reference = reference;
    return CLOPT_OK;
}

static enum clopt_status prepare(void *user, const struct clopt_problem *problem,
                                 struct clopt_session *session)
{
    const struct bfs_graph *graph = &((const struct bfs_state *)user)->graph;
    static const unsigned char zero = 0;
    static const unsigned char ones = 0xFF; /* as an integer -1 */
    size_t nodes = graph->node_count,
           masks = is_packed(problem) ? clopt_round_up(nodes, VECTOR_NODES) / 8 : nodes;
    size_t edges = graph->edge_count ? graph->edge_count : 1; /* a buffer cannot be empty */
    const struct {
        const char *name;
        enum clopt_buffer_use use;
        size_t bytes;
        const void *contents;
    } buffers[] = {
        [NODES] = {"nodes", CLOPT_CACHED, nodes * sizeof *graph->nodes, graph->nodes},
        [EDGES] = {"edges", CLOPT_CACHED, edges * sizeof *graph->edges, graph->edges},
        [MASK] = {"mask", CLOPT_FILLED, masks, &zero},
        [UPDATING] = {"updating mask", CLOPT_FILLED, masks, &zero},
        [VISITED] = {"visited", CLOPT_FILLED, masks, &zero},
        [COST] = {"cost", CLOPT_FILLED, nodes * sizeof(int32_t), &ones},
        [OVER] = {"over", CLOPT_FILLED, sizeof(int32_t), &zero},
    };
    for (unsigned id = 0; id < sizeof buffers / sizeof *buffers; id++)
        CLOPT_TRY(clopt_buffer(session, id, buffers[id].name, buffers[id].use, buffers[id].bytes,
                               buffers[id].contents));
    return CLOPT_OK;
}

/* Marks the node that a search starts from. */
static enum clopt_status launch_source(const struct clopt_problem *problem,
                                       const struct bfs_state *state, struct clopt_session *session)
{
    static const char marked = 1;
    static const int32_t cost = 0;
    uint32_t bit = UINT32_C(1) << state->source % WORD_NODES;
    bool packed = is_packed(problem);
    size_t at = packed ? state->source / WORD_NODES * sizeof bit : state->source;
    size_t bytes = packed ? sizeof bit : sizeof marked;
    const void *mark = packed ? (const void *)&bit : &marked;
    CLOPT_TRY(clopt_write(session, MASK, at, bytes, mark));
    CLOPT_TRY(clopt_write(session, VISITED, at, bytes, mark));
    return clopt_write(session, COST, state->source * sizeof cost, sizeof cost, &cost);
}

/* How far a search is. */
struct progress {
    int32_t level; /* that is looked for */
    int32_t front; /* nodes of the level before; without `packed`: whether there are any */
    int32_t left;  /* nodes without a level */
};

static enum clopt_status launch_kernel1(const struct clopt_problem *problem,
                                        const struct bfs_state *state,
                                        const struct progress *progress,
                                        struct clopt_session *session)
{
    struct clopt_ndrange ndrange = ndrange_of(problem, KERNEL1, state->graph.node_count);
    int32_t nodes = (int32_t)state->graph.node_count;
    int32_t gather = !clopt_values_has(problem->inputs, "input") &&
                     progress->front > progress->left / LARGE_PART;
    if (!is_packed(problem))
        return clopt_launch(session, KERNEL1, ndrange, CLOPT_BUFFER(NODES), CLOPT_BUFFER(EDGES),
                            CLOPT_BUFFER(MASK), CLOPT_BUFFER(UPDATING), CLOPT_BUFFER(VISITED),
                            CLOPT_BUFFER(COST), CLOPT_VALUE(nodes));
    return clopt_launch(session, KERNEL1, ndrange, CLOPT_BUFFER(NODES), CLOPT_BUFFER(EDGES),
                        CLOPT_BUFFER(MASK), CLOPT_BUFFER(UPDATING), CLOPT_BUFFER(VISITED),
                        CLOPT_BUFFER(COST), CLOPT_VALUE(nodes), CLOPT_VALUE(progress->level),
                        CLOPT_VALUE(gather));
}

/* Searches one level further. */
static enum clopt_status launch_level(const struct clopt_problem *problem,
                                      const struct bfs_state *state, struct progress *progress,
                                      struct clopt_session *session)
{
    int32_t nodes = (int32_t)state->graph.node_count;
    int32_t over = 0;
    CLOPT_TRY(clopt_write(session, OVER, 0, sizeof over, &over));
    CLOPT_TRY(launch_kernel1(problem, state, progress, session));
    CLOPT_TRY(clopt_launch(session, KERNEL2, ndrange_of(problem, KERNEL2, (size_t)nodes),
                           CLOPT_BUFFER(MASK), CLOPT_BUFFER(UPDATING), CLOPT_BUFFER(VISITED),
                           CLOPT_BUFFER(OVER), CLOPT_VALUE(nodes)));
    CLOPT_TRY(clopt_read(session, OVER, 0, sizeof over, &over));
    progress->level++;
    progress->front = over;
    progress->left -= over;
    return CLOPT_OK;
}

static enum clopt_status launch(void *user, const struct clopt_problem *problem,
                                struct clopt_session *session)
{
    const struct bfs_state *state = user;
    int32_t nodes = (int32_t)state->graph.node_count;
    struct progress progress = {1, 1, nodes - 1};
    CLOPT_TRY(launch_source(problem, state, session));
    /* A wrong variant may find new nodes for ever: there is at most one level a node. */
    while (progress.level <= nodes && progress.front)
        CLOPT_TRY(launch_level(problem, state, &progress, session));
    return CLOPT_OK;
}

/* Says which of the rules wrong levels break, where memory allows it. */
static void explain(const struct bfs_state *state, struct clopt_session *session,
                    struct clopt_verdict *verdict)
{
    size_t bytes = state->graph.node_count * sizeof(int32_t);
    CLOPT_FREED int32_t *levels = malloc(bytes);
    struct bfs_extent extent;
    struct clopt_error why = {0};
    if (levels && clopt_read(session, COST, 0, bytes, levels) == CLOPT_OK &&
        bfs_levels_validate(&state->graph, state->source, levels, &extent, &why) ==
            CLOPT_WRONG_RESULT) {
        size_t length = strlen(verdict->text);
        snprintf(verdict->text + length, sizeof verdict->text - length, "; %.200s", why.message);
    }
}

/* Levels have one right value only: those of the reference, which keeps the rules of Graph500. */
static enum clopt_status check(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict)
{
    const struct bfs_state *state = user;
    (void)problem;
    CLOPT_TRY(clopt_compare(session, COST, CLOPT_INT32, state->reference->levels,
                            state->graph.node_count, 0, 0, verdict));
    if (!verdict->right)
        explain(state, session, verdict);
    return CLOPT_OK;
}

static enum clopt_status summarize(void *user, const struct clopt_problem *problem,
                                   struct clopt_session *session, FILE *stream)
{
    const struct bfs_state *state = user;
    const struct bfs_extent *extent = &state->reference->extent;
    (void)problem;
    (void)session;
    fprintf(stream,
            "nodes: %zu\nedges: %zu\nsource: %zu\nreached: %" PRId64 "\nlevels: %" PRId64 "\n",
            state->graph.node_count, state->graph.edge_count, state->source, extent->reached,
            extent->levels);
    return CLOPT_OK;
}

static enum clopt_status write(void *user, const struct clopt_problem *problem,
                               struct clopt_session *session, unsigned result, FILE *stream)
{
    const struct bfs_state *state = user;
    (void)problem;
    (void)result;
    struct clopt_rows rows =
        clopt_rows_begin(session, COST, sizeof(int32_t), state->graph.node_count);
    const int32_t *level;
    for (size_t node = 0; node < rows.count && (level = clopt_rows_find(&rows, node)); node++)
        fprintf(stream, "%" PRId32 "\n", *level);
    return clopt_rows_end(&rows);
}

static const struct clopt_app app = {
    .dwarf = "graph traversal",
    .source = "bfs.cl",
    .kernels = kernels,
    .inputs = inputs,
    .knobs = knobs,
    .results = results,
    .describe = describe,
    .setup = setup,
    .prepare = prepare,
    .launch = launch,
    .check = check,
    .summarize = summarize,
    .write = write,
    .teardown = teardown,
};

CLOPT_APP_PLUGIN("bfs", "breadth-first search of a graph, level by level", &app);
