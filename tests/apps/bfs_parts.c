/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that bfs reads graphs from the files that it says and refuses the others by line, makes
 * random graphs as described, finds the known levels, breaks off at wrong ones, and counts its
 * work.
 */
#include <clopt/clopt.h>

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "graph.h"
#include "levels.h"
#include "number/values.h"

extern const struct clopt_plugin clopt_plugin;

static const struct clopt_app *bfs(void)
{
    return clopt_plugin.extensions[0].operations;
}

/* ---- files ---- */

#define MATRIX "%%MatrixMarket matrix coordinate "

static enum clopt_status read_text(const char *text, struct bfs_graph *graph,
                                   struct clopt_error *error)
{
    FILE *stream = text[0] ? fmemopen((void *)text, strlen(text), "r") : tmpfile();
    assert_non_null(stream);
    enum clopt_status status = bfs_graph_read(graph, stream, "file", 1000, error);
    fclose(stream);
    return status;
}

/* The graph as "from>to from>to ..." in the order of its nodes, to be freed. */
static void expect_edges(const char *text, size_t nodes, const char *expected)
{
    struct bfs_graph graph;
    struct clopt_error error = {0};
    char *edges;
    size_t size;
    enum clopt_status status = read_text(text, &graph, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(status, CLOPT_OK);
    assert_int_equal(graph.node_count, nodes);
    FILE *stream = open_memstream(&edges, &size);
    for (size_t i = 0; i < nodes; i++)
        for (int32_t e = 0; e < graph.nodes[i].no_of_edges; e++)
            fprintf(stream, "%zu>%d ", i, graph.edges[graph.nodes[i].starting + e]);
    fclose(stream);
    assert_string_equal(edges, expected);
    free(edges);
    bfs_graph_fini(&graph);
}

static void expect_refusal(const char *text, const char *message)
{
    struct bfs_graph graph;
    struct clopt_error error = {0};
    assert_int_equal(read_text(text, &graph, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    bfs_graph_fini(&graph);
}

static void rodinia_files_are_read(void **state)
{
    (void)state;
    const char *text = "3\n0 2\n2 1\n3 0\n\n2\n\n3\n1 7\n2 1\n0 5\n";
    expect_edges(text, 3, "0>1 0>2 1>0 ");
    struct bfs_graph graph;
    struct clopt_error error = {0};
    assert_int_equal(read_text(text, &graph, &error), CLOPT_OK);
    assert_int_equal(graph.source, 2);
    bfs_graph_fini(&graph);
    expect_edges("1 \r\n0 0\n0\n0", 1, "");
}

static void edge_lists_are_read(void **state)
{
    (void)state;
    expect_edges("# Directed graph\n# Nodes: 3\n0\t2\n2\t1\n\n2 2\n", 3, "0>2 2>1 2>2 ");
    expect_edges("4 0\n# in between\n1 3", 5, "1>3 4>0 ");
    expect_edges("# Undirected graph: x.txt\n0 2\n1 1\n", 3, "0>2 1>1 2>0 ");
}

static void matrices_are_read(void **state)
{
    (void)state;
    expect_edges(MATRIX "pattern general\n3 3 2\n1 2\n3 1\n", 3, "0>1 2>0 ");
    expect_edges(MATRIX "real symmetric\n3 3 2\n2 1 0.5\n3 3 1\n", 3, "0>1 1>0 2>2 ");
}

static void malformed_files_are_refused(void **state)
{
    (void)state;
    expect_refusal("", "file: holds no graph");
    expect_refusal("# nothing\n", "file: holds no graph");
    expect_refusal("graph\n", "file:1: 'g' where a number should be");
    expect_refusal("1 2\n3 -4\n", "file:2: '-' where an edge's second node should be");
    expect_refusal("1 2\n\x01", "file:2: character 0x01 where an edge's first node should be");
    expect_refusal("1 2\n3x 4\n", "file:2: 'x' where a blank should be");
    expect_refusal("1 2\n3\n4 5\n", "file:2: the line ends before an edge's second node");
    expect_refusal("1 2\n3", "file:2: the file ends before an edge's second node: truncated?");
    expect_refusal("1 2\n1 2 3\n", "file:2: more than two numbers in a line");
    expect_refusal("1000 2\n", "file:1: an edge's first node is 1000, at most 999 is possible");
    expect_refusal("1 99999999999999999999999\n",
                   "file:1: an edge's second node is 9223372036854775807, at most 999 is possible");
}

static void malformed_rodinia_files_are_refused(void **state)
{
    (void)state;
    expect_refusal("0\n", "file:1: 0 nodes: must be from 1 to 1000");
    expect_refusal("1001\n", "file:1: 1001 nodes: must be from 1 to 1000");
    expect_refusal("2\n0 1\n", "file:3: the file ends before a node's first edge: truncated?");
    expect_refusal("1\n2147483647 1\n",
                   "file:2: a node's number of edges is 1, at most 0 is possible");
    expect_refusal("2\n0 1\n1 2\n2\n", "file:4: the source is 2, at most 1 is possible");
    expect_refusal("2\n0 1\n1 2\n0\n2\n",
                   "file:5: 2 edges are too few: node 1 has 2, from number 1 on");
    expect_refusal("1\n0 1\n0\n1\n1 0\n", "file:5: an edge's node is 1, at most 0 is possible");
    expect_refusal("1\n0 1\n0\n1\n0 \n",
                   "file:6: the file ends before an edge's weight: truncated?");
    expect_refusal("1\n0 555555555\n0\n555555555\n0 1\n",
                   "file:4: the file is too short for 555555555 edges: truncated?");
    expect_refusal("1\n0 1\n0\n1\n0 1\n1\n", "file:6: the file goes on after its 1 edges");
}

static void matrices_that_are_no_graphs_are_refused(void **state)
{
    (void)state;
    expect_refusal("%%MatrixMarket matrix array real general\n1 1\n1\n",
                   "file: all elements in array format: a graph must be in coordinate format");
    expect_refusal(MATRIX "pattern general\n2 3 1\n1 1\n",
                   "file: 2 rows and 3 columns: the matrix of a graph is square");
    expect_refusal(MATRIX "pattern general\n2 2 2\n1 1\n",
                   "file:3: the file ends after 1 of 2 entries: truncated?");
}

static void few_edges_do_not_ask_for_much_memory(void **state)
{
    (void)state;
    struct bfs_graph graph;
    struct bfs_pairs pairs = {0};
    struct clopt_error error = {0};
    assert_int_equal(bfs_pairs_add(&pairs, 0, 999999999, &error), CLOPT_OK);
    assert_int_equal(bfs_graph_build(&graph, 1000000000, &pairs, false, &error), CLOPT_INVALID);
    assert_string_equal(
        error.message,
        "1000000000 nodes for 1 edges: most nodes have no edge; renumber the others");
    bfs_pairs_fini(&pairs);
    pairs.count = BFS_MOST_EDGES;
    assert_int_equal(bfs_pairs_add(&pairs, 0, 1, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "more than 2147483647 edges");
}

/* ---- levels ---- */

/* 0 > 1 > 3, 0 > 2 > 3, 3 > 0, 4 > 0: node 4 is not reached. */
#define DIAMOND "0 1\n0 2\n1 3\n2 3\n3 0\n4 0\n"

static void the_search_finds_known_levels(void **state)
{
    (void)state;
    struct bfs_graph graph;
    struct clopt_error error = {0};
    struct bfs_extent extent;
    int32_t levels[5];
    static const int32_t expected[2][5] = {{0, 1, 1, 2, -1}, {1, 2, 2, 3, 0}};
    assert_int_equal(read_text(DIAMOND, &graph, &error), CLOPT_OK);
    for (size_t source = 0; source < 5; source += 4) {
        assert_int_equal(bfs_levels_search(&graph, source, levels, &error), CLOPT_OK);
        assert_memory_equal(levels, expected[source / 4], sizeof levels);
        assert_int_equal(bfs_levels_validate(&graph, source, levels, &extent, &error), CLOPT_OK);
    }
    assert_int_equal(extent.levels, 4);
    assert_int_equal(extent.reached, 5);
    assert_int_equal(extent.edges, 6);
    assert_int_equal(extent.downward, 5);
    bfs_graph_fini(&graph);
}

static void expect_broken(const int32_t levels[5], const char *message)
{
    struct bfs_graph graph;
    struct clopt_error error = {0};
    struct bfs_extent extent;
    assert_int_equal(read_text(DIAMOND, &graph, &error), CLOPT_OK);
    assert_int_equal(bfs_levels_validate(&graph, 0, levels, &extent, &error), CLOPT_WRONG_RESULT);
    assert_string_equal(error.message, message);
    bfs_graph_fini(&graph);
}

static void levels_that_break_a_rule_are_found(void **state)
{
    (void)state;
    expect_broken((int32_t[]){1, 1, 1, 2, -1}, "node 0 has level 1; the source is 0");
    expect_broken((int32_t[]){0, 0, 1, 2, -1}, "node 1 has level 0; the source is 0");
    expect_broken((int32_t[]){0, 1, 1, -7, -1}, "node 3 has level -7; the source is 0");
    expect_broken((int32_t[]){0, 1, 1, INT32_MAX, -1},
                  "node 3 has level 2147483647; the source is 0");
    expect_broken((int32_t[]){0, 1, 1, 3, -1},
                  "an edge leads from node 1 of level 1 to node 3 of level 3");
    expect_broken((int32_t[]){0, 1, 1, -1, -1},
                  "an edge leads from node 1 of level 1 to node 3 of level -1");
    expect_broken((int32_t[]){0, 1, 1, 2, 1}, "no edge leads from level 0 to node 4 of level 1");
    expect_broken((int32_t[]){0, 1, 1, 1, -1}, "no edge leads from level 0 to node 3 of level 1");
}

/* ---- random graphs and work ---- */

struct fixture {
    struct clopt_values *inputs;
    struct clopt_problem problem;
};

static void set(struct fixture *fixture, const char *name, const char *text)
{
    struct clopt_error error = {0};
    assert_int_equal(
        clopt_values_set(fixture->inputs, clopt_parameter_find(bfs()->inputs, name), text, &error),
        CLOPT_OK);
}

static void start(struct fixture *fixture, const char *nodes, const char *graph)
{
    fixture->inputs = clopt_values_create(bfs()->inputs);
    fixture->problem = (struct clopt_problem){
        .app = "bfs", .app_hash = "none", .inputs = fixture->inputs, .seed = 7};
    set(fixture, "nodes", nodes);
    set(fixture, "graph", graph);
}

static void end(struct fixture *fixture)
{
    clopt_values_destroy(fixture->inputs);
}

static size_t count_edge(const struct bfs_graph *graph, size_t from, int32_t to)
{
    size_t count = 0;
    for (int32_t e = 0; e < graph->nodes[from].no_of_edges; e++)
        count += graph->edges[graph->nodes[from].starting + e] == to;
    return count;
}

/* Edges are within the graph, lead back, and are as many as the degree says. */
static size_t expect_undirected(const char *nodes, const char *kind)
{
    struct fixture fixture;
    struct bfs_graph graph;
    struct clopt_error error = {0};
    start(&fixture, nodes, kind);
    assert_int_equal(bfs_graph_create(&fixture.problem, &graph, &error), CLOPT_OK);
    assert_int_equal(graph.node_count, strtoul(nodes, NULL, 10));
    assert_int_equal(graph.edge_count, graph.node_count > 1 ? graph.node_count * 6 : 0);
    size_t next = 0;
    size_t largest = 0;
    for (size_t i = 0; i < graph.node_count; i++) {
        size_t degree = (size_t)graph.nodes[i].no_of_edges;
        assert_int_equal(graph.nodes[i].starting, next);
        next += degree;
        largest = degree > largest ? degree : largest;
        for (int32_t e = graph.nodes[i].starting; e < (int32_t)next; e++) {
            assert_in_range(graph.edges[e], 0, graph.node_count - 1);
            assert_int_equal(count_edge(&graph, i, graph.edges[e]),
                             count_edge(&graph, (size_t)graph.edges[e], (int32_t)i));
            assert_int_not_equal(graph.edges[e], i);
        }
    }
    assert_int_equal(next, graph.edge_count);
    bfs_graph_fini(&graph);
    end(&fixture);
    return largest;
}

static void random_graphs_lead_both_ways(void **state)
{
    (void)state;
    expect_undirected("1", "uniform");
    expect_undirected("2", "uniform");
    expect_undirected("1", "rmat");
    expect_undirected("5", "rmat");
    assert_true(expect_undirected("3000", "uniform") < 30);
    assert_true(expect_undirected("3000", "rmat") > 100); /* a hub */
}

/* Of R-MAT's edges, 57% have both ends in the lower half of the nodes, 5% in the upper one. */
static void rmat_has_the_probabilities_of_graph500(void **state)
{
    (void)state;
    struct fixture fixture;
    struct bfs_graph graph;
    struct clopt_error error = {0};
    double both[2] = {0, 0};
    start(&fixture, "4096", "rmat");
    assert_int_equal(bfs_graph_create(&fixture.problem, &graph, &error), CLOPT_OK);
    for (size_t i = 0; i < 4096; i++)
        for (int32_t e = 0; e < graph.nodes[i].no_of_edges; e++)
            if ((graph.edges[graph.nodes[i].starting + e] >= 2048) == (i >= 2048))
                both[i >= 2048]++;
    assert_true(both[0] > 0.55 * 24576 && both[0] < 0.59 * 24576);
    assert_true(both[1] > 0.04 * 24576 && both[1] < 0.06 * 24576);
    bfs_graph_fini(&graph);
    end(&fixture);
}

static void work_follows_from_the_search(void **state)
{
    (void)state;
    struct fixture fixture;
    struct clopt_kernel_work work;
    struct clopt_error error = {0};
    char path[] = "unit_bfs_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, DIAMOND, strlen(DIAMOND)), strlen(DIAMOND));
    start(&fixture, "65536", "uniform");
    set(&fixture, "input", path);
    assert_int_equal(bfs()->describe(&fixture.problem, NULL, bfs()->kernels, &work, &error),
                     CLOPT_OK);
    assert_int_equal(work.ndrange.global[0], 0);
    void *user;
    assert_int_equal(bfs()->setup(&fixture.problem, &user, &error), CLOPT_OK);
    assert_int_equal(bfs()->describe(&fixture.problem, user, bfs()->kernels, &work, &error),
                     CLOPT_OK);
    /* Three levels of four nodes with five edges, four of which lead down. */
    assert_int_equal(work.ndrange.global[0], 256);
    assert_int_equal(work.arithmetic, CLOPT_ARITHMETIC_INTEGER);
    assert_true(work.operations == 4 + 5 + 4);
    assert_true(work.bytes == 3 * 5 + 4 * 13 + 5 * 5 + 4 * 5);
    assert_int_equal(bfs()->describe(&fixture.problem, user, &bfs()->kernels[1], &work, &error),
                     CLOPT_OK);
    assert_true(work.operations == 0 && work.bytes == 3 * 5 + 3 * 3 + 2 * 4);
    bfs()->teardown(user);

    set(&fixture, "source", "5");
    user = NULL;
    assert_int_equal(bfs()->setup(&fixture.problem, &user, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "source = 5: the nodes are 0 to 4");
    bfs()->teardown(user);
    close(file);
    unlink(path);
    end(&fixture);
}

static void expect_conflict(struct fixture *fixture, const char *message)
{
    struct clopt_kernel_work work;
    struct clopt_error error = {0};
    assert_int_equal(bfs()->describe(&fixture->problem, NULL, bfs()->kernels, &work, &error),
                     CLOPT_INVALID);
    assert_string_equal(error.message, message);
}

static void values_that_cannot_go_together_are_refused(void **state)
{
    (void)state;
    struct fixture fixture;
    start(&fixture, "1000000000", "uniform");
    expect_conflict(&fixture, "nodes = 1000000000 and degree = 6: 6000000000 edges, at most "
                              "2147483647 are possible");
    set(&fixture, "nodes", "10");
    set(&fixture, "source", "10");
    expect_conflict(&fixture, "source = 10: the nodes are 0 to 9");
    end(&fixture);
}

/* Nothing of this goes to the user's cache. */
static int without_cache(void **state)
{
    (void)state;
    return unsetenv("CLOPT_CACHE_DIR") || unsetenv("XDG_CACHE_HOME") || unsetenv("HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rodinia_files_are_read),
        cmocka_unit_test(edge_lists_are_read),
        cmocka_unit_test(matrices_are_read),
        cmocka_unit_test(malformed_files_are_refused),
        cmocka_unit_test(malformed_rodinia_files_are_refused),
        cmocka_unit_test(matrices_that_are_no_graphs_are_refused),
        cmocka_unit_test(few_edges_do_not_ask_for_much_memory),
        cmocka_unit_test(the_search_finds_known_levels),
        cmocka_unit_test(levels_that_break_a_rule_are_found),
        cmocka_unit_test(random_graphs_lead_both_ways),
        cmocka_unit_test(rmat_has_the_probabilities_of_graph500),
        cmocka_unit_test(work_follows_from_the_search),
        cmocka_unit_test(values_that_cannot_go_together_are_refused),
    };
    return cmocka_run_group_tests(tests, without_cache, NULL);
}
