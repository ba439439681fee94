/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads graphs number by number: files have a hundred million of them. */
#include "graph.h"

#include <errno.h>

#include "../../shared/matrix_market.h"

#define BUFFER_BYTES (1u << 16)

/* A text file that is being read. */
struct reader {
    FILE *stream;
    const char *name;
    uint64_t line; /* from 1 */
    uint64_t most; /* nodes */
    bool undirected;
    size_t at;
    size_t count;
    unsigned char buffer[BUFFER_BYTES];
};

/* Fails with a message after the file's name and the line. */
#define FAIL_AT_LINE(reader, error, ...)                                                           \
    (clopt_fail(error, CLOPT_INVALID, __VA_ARGS__),                                                \
     clopt_fail_within(error, "%s:%" PRIu64, (reader)->name, (reader)->line))

/* Returns the next character without taking it, or EOF. */
static int peek(struct reader *reader)
{
    if (reader->at == reader->count) {
        reader->at = 0;
        reader->count = fread(reader->buffer, 1, sizeof reader->buffer, reader->stream);
        if (reader->count == 0)
            return EOF;
    }
    return reader->buffer[reader->at];
}

/* Skips blanks within a line. */
static int skip_blanks(struct reader *reader)
{
    int character;
    while ((character = peek(reader)) == ' ' || character == '\t' || character == '\r')
        reader->at++;
    return character;
}

/* Skips blanks and the ends of lines. */
static int skip_lines(struct reader *reader)
{
    int character;
    while ((character = skip_blanks(reader)) == '\n') {
        reader->at++;
        reader->line++;
    }
    return character;
}

/* Skips a comment up to the end of its line, and looks what it says. */
static void skip_comment(struct reader *reader)
{
    char text[128];
    size_t length = 0;
    int character;
    while ((character = peek(reader)) != EOF && character != '\n') {
        if (length < sizeof text - 1)
            text[length++] = (char)character;
        reader->at++;
    }
    text[length] = '\0';
    if (strstr(text, "Undirected") || strstr(text, "undirected"))
        reader->undirected = true;
}

/* Skips lines and comments. */
static int skip_comments(struct reader *reader)
{
    int character;
    while ((character = skip_lines(reader)) == '#')
        skip_comment(reader);
    return character;
}

static enum clopt_status fail_at_character(const struct reader *reader, int character,
                                           const char *what, struct clopt_error *error)
{
    if (character == EOF && ferror(reader->stream))
        return clopt_fail(error, CLOPT_FAILED, "%s: cannot be read: %s", reader->name,
                          strerror(errno));
    if (character == EOF)
        return FAIL_AT_LINE(reader, error, "the file ends before %s: truncated?", what);
    if (character == '\n')
        return FAIL_AT_LINE(reader, error, "the line ends before %s", what);
    if (character > ' ' && character < 127)
        return FAIL_AT_LINE(reader, error, "'%c' where %s should be", character, what);
    return FAIL_AT_LINE(reader, error, "character 0x%02x where %s should be", (unsigned)character,
                        what);
}

/* Reads the number that is next, of at most `most`. */
static enum clopt_status read_digits(struct reader *reader, const char *what, uint64_t most,
                                     uint64_t *number, struct clopt_error *error)
{
    int character = peek(reader);
    if (character < '0' || character > '9')
        return fail_at_character(reader, character, what, error);
    *number = 0;
    do {
        if (*number <= INT64_MAX / 10 - 1)
            *number = *number * 10 + (unsigned)(character - '0');
        else
            *number = INT64_MAX;
        reader->at++;
        character = peek(reader);
    } while (character >= '0' && character <= '9');
    if (*number > most)
        return FAIL_AT_LINE(reader, error, "%s is %" PRIu64 ", at most %" PRIu64 " is possible",
                            what, *number, most);
    if (character != EOF && !strchr(" \t\r\n", character))
        return fail_at_character(reader, character, "a blank", error);
    return CLOPT_OK;
}

static enum clopt_status read_number(struct reader *reader, const char *what, uint64_t most,
                                     uint64_t *number, struct clopt_error *error)
{
    skip_lines(reader);
    return read_digits(reader, what, most, number, error);
}

/* ---- Rodinia and OpenDwarfs ---- */

static enum clopt_status read_nodes(struct reader *reader, struct bfs_node *nodes, size_t count,
                                    struct clopt_error *error)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t starting, edges;
        CLOPT_TRY(read_number(reader, "a node's first edge", BFS_MOST_EDGES, &starting, error));
        CLOPT_TRY(read_number(reader, "a node's number of edges", BFS_MOST_EDGES - starting, &edges,
                              error));
        nodes[i] = (struct bfs_node){(int32_t)starting, (int32_t)edges};
    }
    return CLOPT_OK;
}

static enum clopt_status check_nodes(const struct reader *reader, const struct bfs_graph *graph,
                                     struct clopt_error *error)
{
    for (size_t i = 0; i < graph->node_count; i++) {
        const struct bfs_node *node = &graph->nodes[i];
        if ((size_t)node->starting + (size_t)node->no_of_edges > graph->edge_count)
            return FAIL_AT_LINE(reader, error,
                                "%zu edges are too few: node %zu has %d, from number %d on",
                                graph->edge_count, i, node->no_of_edges, node->starting);
    }
    return CLOPT_OK;
}

static enum clopt_status read_edges(struct reader *reader, const struct bfs_graph *graph,
                                    int32_t *edges, struct clopt_error *error)
{
    for (size_t i = 0; i < graph->edge_count; i++) {
        uint64_t to, weight;
        CLOPT_TRY(read_number(reader, "an edge's node", graph->node_count - 1, &to, error));
        CLOPT_TRY(read_number(reader, "an edge's weight", INT64_MAX, &weight, error));
        edges[i] = (int32_t)to;
    }
    if (skip_lines(reader) != EOF)
        return FAIL_AT_LINE(reader, error, "the file goes on after its %zu edges",
                            graph->edge_count);
    return CLOPT_OK;
}

/* Whether the rest of the file has no room for so many pairs of numbers. */
static bool is_too_short(const struct reader *reader, uint64_t pairs)
{
    uint64_t rest = clopt_file_rest(reader->stream);
    return rest != UINT64_MAX && pairs > (rest + reader->count - reader->at) / 4 + 1; /* "0 1\n" */
}

/* Reads what follows the number of nodes. */
static enum clopt_status read_rodinia(struct reader *reader, struct bfs_graph *graph,
                                      uint64_t node_count, struct clopt_error *error)
{
    if (node_count == 0 || node_count > reader->most)
        return FAIL_AT_LINE(reader, error, "%" PRIu64 " nodes: must be from 1 to %" PRIu64,
                            node_count, reader->most);
    struct bfs_node *nodes = malloc((size_t)node_count * sizeof *nodes);
    if (!nodes)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %" PRIu64 " nodes",
                          node_count);
    graph->nodes = nodes;
    graph->node_count = (size_t)node_count;
    uint64_t source = 0, edge_count = 0;
    CLOPT_TRY(read_nodes(reader, nodes, graph->node_count, error));
    CLOPT_TRY(read_number(reader, "the source", node_count - 1, &source, error));
    CLOPT_TRY(read_number(reader, "the number of edges", BFS_MOST_EDGES, &edge_count, error));
    graph->source = (int64_t)source;
    graph->edge_count = (size_t)edge_count;
    CLOPT_TRY(check_nodes(reader, graph, error));
    if (is_too_short(reader, edge_count))
        return FAIL_AT_LINE(reader, error, "the file is too short for %zu edges: truncated?",
                            graph->edge_count);
    int32_t *edges = malloc((graph->edge_count ? graph->edge_count : 1) * sizeof *edges);
    if (!edges)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory for %zu edges",
                          graph->edge_count);
    graph->edges = edges;
    return read_edges(reader, graph, edges, error);
}

/* ---- SNAP ---- */

/* Reads the rest of an edge list, whose first node has been read. */
static enum clopt_status read_pairs(struct reader *reader, struct bfs_pairs *pairs, uint64_t from,
                                    uint64_t *largest, struct clopt_error *error)
{
    for (;;) {
        uint64_t to;
        skip_blanks(reader);
        CLOPT_TRY(read_digits(reader, "an edge's second node", reader->most - 1, &to, error));
        CLOPT_TRY(bfs_pairs_add(pairs, from, to, error));
        *largest = from > *largest ? from : *largest;
        *largest = to > *largest ? to : *largest;
        int character = skip_blanks(reader);
        if (character != '\n' && character != EOF)
            return FAIL_AT_LINE(reader, error, "more than two numbers in a line");
        if (skip_comments(reader) == EOF && !ferror(reader->stream))
            return CLOPT_OK;
        CLOPT_TRY(read_digits(reader, "an edge's first node", reader->most - 1, &from, error));
    }
}

static enum clopt_status read_snap(struct reader *reader, struct bfs_graph *graph, uint64_t from,
                                   struct clopt_error *error)
{
    if (from >= reader->most)
        return FAIL_AT_LINE(reader, error,
                            "an edge's first node is %" PRIu64 ", at most %" PRIu64 " is possible",
                            from, reader->most - 1);
    CLOPT_OWNED(bfs_pairs) pairs = {0};
    uint64_t largest = 0;
    CLOPT_TRY(read_pairs(reader, &pairs, from, &largest, error));
    return bfs_graph_build(graph, (size_t)largest + 1, &pairs, reader->undirected, error)
               ? clopt_fail_within(error, "%s", reader->name)
               : CLOPT_OK;
}

/* ---- Matrix Market ---- */

static enum clopt_status read_matrix(FILE *stream, const char *name, uint64_t most,
                                     struct bfs_graph *graph, struct clopt_error *error)
{
    struct matrix_market file;
    rewind(stream);
    CLOPT_TRY(matrix_market_begin(&file, stream, name, most, error));
    if (file.array)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: all elements in array format: a graph must be in coordinate format",
                          name);
    if (file.rows != file.columns)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: %" PRIu64 " rows and %" PRIu64
                          " columns: the matrix of a graph is square",
                          name, file.rows, file.columns);
    CLOPT_OWNED(bfs_pairs) pairs = {0};
    for (uint64_t i = 0; i < file.entries; i++) {
        struct matrix_market_entry entry;
        CLOPT_TRY(matrix_market_next(&file, &entry, error));
        CLOPT_TRY(bfs_pairs_add(&pairs, entry.row, entry.column, error));
    }
    CLOPT_TRY(matrix_market_end(&file, error));
    bool mirrored = file.symmetry != MATRIX_GENERAL;
    return bfs_graph_build(graph, (size_t)file.rows, &pairs, mirrored, error)
               ? clopt_fail_within(error, "%s", name)
               : CLOPT_OK;
}

/* Tells the formats of numbers from each other, and reads them. */
static enum clopt_status read_text(struct reader *reader, struct bfs_graph *graph,
                                   struct clopt_error *error)
{
    int character = skip_comments(reader);
    if (character == EOF && !ferror(reader->stream))
        return clopt_fail(error, CLOPT_INVALID, "%s: holds no graph", reader->name);
    uint64_t number;
    CLOPT_TRY(read_digits(reader, "a number", INT64_MAX, &number, error));
    character = skip_blanks(reader);
    if (character == '\n' || character == EOF)
        return read_rodinia(reader, graph, number, error);
    return read_snap(reader, graph, number, error);
}

enum clopt_status bfs_graph_read(struct bfs_graph *graph, FILE *stream, const char *name,
                                 uint64_t most, struct clopt_error *error)
{
    *graph = (struct bfs_graph){.source = -1};
    CLOPT_FREED struct reader *reader = clopt_calloc(1, sizeof *reader);
    *reader = (struct reader){.stream = stream, .name = name, .line = 1, .most = most};
    return skip_lines(reader) == '%' ? read_matrix(stream, name, most, graph, error)
                                     : read_text(reader, graph, error);
}
