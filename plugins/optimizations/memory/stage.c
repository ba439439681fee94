/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses what is staged, and where: in the outermost part of the kernel in which a tile fits into
 * local memory. */
#include "memory.h"

#include "tile.h"

#define MOST_TILES    32
#define LOCAL_DEFAULT 32768 /* bytes, where no device is known */

/* Iterations of a loop that are staged at once, where there are not known to be so few. */
#define LEAST_STRIP 16
#define MOST_STRIP  32

struct stage {
    struct clopt_source *source;
    const struct staging *staging;
    size_t local[3];
    uint64_t whole;                 /* bytes of local memory, */
    uint64_t share;                 /* those that a tile may have, */
    uint64_t room;                  /* and those that are left */
    const struct clopt_node *large; /* the access that was refused for that last; NULL: none */
    int64_t strip; /* iterations that loops of unknown trip counts are split by; 0: none is */
    struct clopt_nodes strips; /* loops to split so, since a tile can be filled for each part */
    struct clopt_divergence *divergence;
    struct clopt_accesses accesses; /* of the whole kernel */
    struct clopt_footprints footprints[MOST_TILES];
    size_t footprint_count;
    struct tile tiles[MOST_TILES];
    size_t tile_count;
    bool *staged; /* by node: an access to one of them */
    struct returns returns;
    struct clamps clamps;
    bool as_is; /* none is hidden, since nothing can be staged so */
    struct clopt_error *error;
    bool refused;  /* the error says why something could not be staged */
    bool distinct; /* what is staged is not written, unless a buffer is two arguments */
};

/* Notes why something is not staged; what is refused last is the innermost part. Returns false. */
static bool refuse(struct stage *stage, const struct clopt_node *node,
                   const struct clopt_variable *array, const char *reason)
{
    clopt_source_refuse(stage->source, node, stage->error, "%s%s%s", array ? array->name : "",
                        array ? " cannot be staged: " : "", reason);
    stage->refused = true;
    return false;
}

/* ---- what may be written meanwhile ---- */

/* Finds a write that may change an array before, or while, a tile of it is in use. Tells whether
 * one may to another argument, if that is the same buffer. */
static const struct clopt_node *find_write(const struct stage *stage, const struct tile *tile,
                                           bool *distinct)
{
    size_t end = tile_end(tile);
    const struct clopt_access array = {.base = tile->footprint->array,
                                       .root = tile->footprint->array,
                                       .space = tile->footprint->array->pointee,
                                       .anywhere = true,
                                       .reads = true};
    for (size_t i = 0; i < stage->accesses.count; i++) {
        const struct clopt_access *access = &stage->accesses.items[i];
        bool same = access->root == tile->footprint->array;
        bool may = access->node->index < end && clopt_accesses_alias(access, &array);
        bool other = !same && access->root && access->root->is_parameter;
        if (access->writes && (same || (may && !other)))
            return access->node;
        *distinct |= access->writes && may && other;
    }
    return NULL;
}

/* Finds a return after a tile is filled that some of its accesses come after, or that is handled as
 * if nothing had been read before it. */
static const struct clopt_node *find_return(const struct stage *stage, const struct tile *tile)
{
    const struct clopt_node *body = stage->source->kernel->body;
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *statement = body->children[i];
        if (!clopt_node_is_before(tile->before, statement) ||
            !clopt_node_find(statement, CLOPT_NODE_RETURN))
            continue;
        bool between = clopt_returns_has(&stage->returns.statements, statement);
        for (size_t j = 0; j < tile->footprint->access_count; j++)
            between |= clopt_node_is_before(statement, tile->footprint->accesses[j].node);
        if (between)
            return statement;
    }
    return NULL;
}

/* ---- choosing tiles ---- */

/* The statement in front of which a tile for a part is filled: the part, or the first one of the
 * kernel's body with an access. */
static struct clopt_node *lvalue_of(const struct stage *stage, struct clopt_node *part,
                                    const struct clopt_footprint *footprint)
{
    const struct clopt_node *body = stage->source->kernel->body;
    for (size_t i = 0; part == body && i < body->child_count; i++)
        for (size_t j = 0; j < footprint->access_count; j++)
            if (clopt_node_contains(body->children[i], footprint->accesses[j].node))
                return body->children[i];
    return part;
}

/* Whether neighbouring work-items read in different rows of a box, along which they could load it
 * together. */
static bool reads_columns(const struct clopt_footprint *footprint)
{
    if (footprint->direction_count < 2)
        return false;
    unsigned last = footprint->direction_count - 1;
    const struct clopt_direction *row = &footprint->directions[last];
    bool contiguous = row->most > row->least && row->term_count == 1 && row->terms[0].count == 0 &&
                      llabs(row->terms[0].number) == 1;
    for (size_t i = 0; contiguous && i < footprint->access_count; i++) {
        const struct clopt_coordinate *coordinates = footprint->accesses[i].coordinates;
        bool column = false;
        for (unsigned d = 0; d < last; d++)
            column |= coordinates[d].factors[0] != 0;
        contiguous = column && !coordinates[last].factors[0];
    }
    return contiguous;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the size of a tile, with its padding; more than there is, where that is too large. */
static uint64_t bytes_of(const struct stage *stage, const struct clopt_footprint *footprint)
{
    unsigned last = footprint->direction_count ? footprint->direction_count - 1 : 0;
    const struct clopt_direction *row = &footprint->directions[last];
    bool loaded = clopt_node_is_loaded(footprint->accesses[0].node);
    uint64_t size = loaded ? sizeof(float) : footprint->array->pointee_bytes;
    uint64_t elements = footprint->elements;
    if (elements > stage->whole / size)
        return UINT64_MAX;
    if (last)
        elements += elements / (uint64_t)(row->most - row->least + 1) * stage->staging->pad;
    return elements * size;
}

static bool check_tile(struct stage *stage, struct tile *tile)
{
    const struct clopt_footprint *footprint = tile->footprint;
    const struct clopt_variable *array = footprint->array;
    const struct clopt_node *access = footprint->accesses[0].node;
    const char *reason = footprint->reason;
    if (!reason && footprint->reads <= footprint->elements && !reads_columns(footprint))
        reason = "a work-group reads each element once, and neighbours read neighbours";
    if (reason) /* of what is inside, the same may be said */
        return !stage->refused && refuse(stage, access, array, reason);
    if (tile_scalar(footprint) == CLOPT_SCALAR_NONE)
        return refuse(stage, access, array,
                      array->pointee_scalar ? "its elements are read as half and by vload_half"
                                            : "its elements are structures");
    if (bytes_of(stage, footprint) > smaller(stage->room, stage->share)) {
        stage->large = access;
        return refuse(stage, access, array, "a work-group reads more of it than fits local memory");
    }
    if (!clopt_returns_meet(&stage->returns.statements, stage->divergence, tile->before))
        return refuse(stage, tile->before, array, "not all work-items of a group come here");
    if (find_return(stage, tile))
        return refuse(stage, find_return(stage, tile), array, "work-items return here");
    if (!tile_can_limit(tile, &stage->returns))
        return refuse(stage, access, array,
                      "it is unknown what work-items that have returned would have read");
    if (!clamps_find(&stage->clamps, tile, stage->local))
        return refuse(stage, access, array, "it is unknown how its index is limited");
    bool distinct = false;
    const struct clopt_node *write = find_write(stage, tile, &distinct);
    if (write)
        return refuse(stage, write, array, "this may write it");
    for (size_t i = 0; i < footprint->access_count; i++)
        if (!tile_can_move(tile, &stage->accesses, footprint->accesses[i].node))
            return refuse(stage, footprint->accesses[i].node, array,
                          "its index is computed where it is read");
    stage->distinct |= distinct;
    return true;
}

/* Returns whether it is staged in the part. */
static bool try_footprint(struct stage *stage, struct clopt_node *part,
                          const struct clopt_footprint *footprint)
{
    struct tile tile = {.footprint = footprint, .divergence = stage->divergence};
    tile.turned = stage->staging->turns && tile_reads_columns(footprint);
    if (footprint->array && !names_has(stage->staging->names, footprint->array))
        return false;
    for (size_t i = 0; i < footprint->access_count; i++)
        if (stage->staged[footprint->accesses[i].node->index])
            return false;
    tile.before = lvalue_of(stage, part, footprint);
    if (!check_tile(stage, &tile) || stage->tile_count == MOST_TILES)
        return false;
    stage->room -= bytes_of(stage, footprint);
    for (size_t i = 0; i < footprint->access_count; i++)
        stage->staged[footprint->accesses[i].node->index] = true;
    stage->tiles[stage->tile_count++] = tile;
    return true;
}

/* Whether a loop does what tiles of another one leave: it begins where these end. */
static bool is_rest(const struct clopt_trip *trip)
{
    const struct clopt_node *first = clopt_node_bare(trip->first);
    bool multiple = clopt_node_is_operator(first, "*") && first->children[1]->known &&
                    clopt_node_is_operator(clopt_node_bare(first->children[0]), "/");
    return multiple || (first->kind == CLOPT_NODE_VARIABLE && first->variable->changed);
}

/* Whether a loop can be split into strips that all work-items of a group begin together. */
static bool can_split(const struct stage *stage, struct clopt_node *loop)
{
    struct clopt_tiling tiling = {.source = stage->source, .loop = loop, .size = stage->strip};
    struct clopt_error reason = {0};
    return stage->strip && clopt_node_is_loop(loop) &&
           !clopt_node_is_region(stage->divergence, loop) &&
           !clopt_tiling_check(&tiling, &reason) && !tiling.trip.count_known && tiling.trip.first &&
           !is_rest(&tiling.trip);
}

/* Stages what can be in a part: a loop, or the kernel's body; then in the loops inside it. */
static void try_part(struct stage *stage, struct clopt_node *node)
{
    bool part = !node->parent || clopt_node_repeats(node);
    if (part && stage->footprint_count < MOST_TILES) {
        struct clopt_footprints *found = &stage->footprints[stage->footprint_count++];
        bool rows = stage->staging->pad > 0 || clamps_are_hidden(&stage->clamps);
        const struct clopt_footprint_part searched = {
            stage->source, node, stage->local, can_split(stage, node) ? stage->strip : 0, rows};
        clopt_footprints_find(&searched, found);
        bool strips = false;
        for (size_t i = 0; i < found->count; i++)
            strips |= try_footprint(stage, node, &found->items[i]) && found->items[i].is_strip;
        if (strips)
            clopt_nodes_add(stage->source, &stage->strips, node);
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!clopt_node_is_expression(node->children[i]))
            try_part(stage, node->children[i]);
}

/* ---- returns ---- */

/* Whether a part of a statement may not be executed by work-items that would have returned. */
static bool is_unsafe(const struct clopt_node *node, const void *user)
{
    const struct stage *stage = user;
    struct clopt_trip trip;
    if (clopt_node_repeats(node))
        return !clopt_trip_find(node, NULL, &trip) || !trip.first ||
               clopt_node_diverges(stage->divergence, trip.first) ||
               clopt_node_diverges(stage->divergence, trip.bound);
    return clopt_node_is_memory(node, NULL) && !stage->staged[node->index];
}

static bool is_safe(const struct stage *stage, const struct clopt_node *statement)
{
    const unsigned allowed =
        CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_PRIVATE_WRITE | CLOPT_EFFECT_COLLECTIVE;
    return !(clopt_node_effects(statement) & ~allowed) && !clopt_node_find_trap(statement) &&
           !clopt_node_search(statement, is_unsafe, stage);
}

/* Moves the returns after all tiles and barriers, where the statements up to there may be executed
 * by all, since they read tiles alone. */
static void sink_returns(struct stage *stage)
{
    const struct clopt_nodes *returns = &stage->returns.statements;
    const struct clopt_node *body = stage->source->kernel->body;
    if (!returns->count)
        return;
    struct clopt_node *last = NULL;
    for (size_t i = clopt_node_position(returns->items[0]) + 1; i < body->child_count; i++) {
        if (clopt_returns_has(returns, body->children[i]))
            continue;
        if (!is_safe(stage, body->children[i]))
            break;
        last = body->children[i];
    }
    bool whole = last && !clopt_node_find_collective(body, clopt_node_position(last) + 1);
    for (size_t i = 0; whole && i < stage->tile_count; i++)
        whole = stage->tiles[i].before->index < clopt_node_end(last);
    for (size_t i = returns->count; whole && i-- > 0;)
        if (clopt_node_is_before(returns->items[i], last))
            clopt_insert_after(stage->source, last, clopt_remove(stage->source, returns->items[i]));
}

/* ---- rewriting ---- */

static void put_barrier(struct stage *stage, struct clopt_node *statement)
{
    clopt_insert_before(stage->source, statement,
                        clopt_build(stage->source, statement, "barrier(CLK_LOCAL_MEM_FENCE);"));
}

/* Fills all tiles in front of the statement of one, unless an earlier one has done so. */
static void fill(struct stage *stage, size_t index)
{
    struct clopt_node *before = stage->tiles[index].before;
    for (size_t i = 0; i < index; i++)
        if (stage->tiles[i].before == before)
            return;
    struct clopt_nodes fills = {0};
    struct clopt_node *stays = tile_any_stays(stage->source, &stage->returns, stage->local);
    for (size_t i = index; i < stage->tile_count; i++)
        if (stage->tiles[i].before == before)
            clopt_nodes_add(
                stage->source, &fills,
                tile_fill(stage->source, &stage->tiles[i], &stage->returns, stage->local));
    if (tile_outermost_loop(before->parent))
        put_barrier(stage, before);
    if (stays)
        clopt_insert_before(stage->source, before,
                            clopt_build(stage->source, before, "if ($n) { $N }", stays, &fills));
    for (size_t i = 0; !stays && i < fills.count; i++)
        clopt_insert_before(stage->source, before, fills.items[i]);
    put_barrier(stage, before);
}

static enum clopt_status rewrite(struct stage *stage)
{
    struct clopt_source *source = stage->source;
    struct clopt_node *body = source->kernel->body;
    struct clopt_nodes declarations = {0};
    for (size_t i = 0; i < stage->tile_count; i++)
        clopt_nodes_add(source, &declarations, tile_declare(source, &stage->tiles[i]));
    sink_returns(stage);
    for (size_t i = 0; i < stage->tile_count; i++)
        fill(stage, i);
    enum clopt_status status =
        clopt_returns_guard(source, NULL, &stage->returns.statements, NULL, stage->error);
    for (size_t i = 0; i < stage->tile_count; i++)
        for (size_t j = 0; j < stage->tiles[i].footprint->access_count; j++)
            tile_read(source, &stage->tiles[i], &stage->tiles[i].footprint->accesses[j]);
    for (size_t i = declarations.count; i > 0; i--)
        clopt_prepend(source, body, declarations.items[i - 1]);
    clamps_show(&stage->clamps);
    return status;
}

/* ---- the whole ---- */

static bool accept_return(void *user, const struct clopt_node *statement)
{
    struct stage *stage = user;
    return returns_add(&stage->returns, statement, stage->divergence);
}

/* Chooses tiles. */
static void choose(struct stage *stage)
{
    struct clopt_node *body = stage->source->kernel->body;
    if (!stage->as_is)
        clamps_hide(&stage->clamps, stage->source, stage->local);
    clopt_accesses_add(&stage->accesses, body);
    stage->staged =
        clopt_source_table(stage->source, stage->source->node_count, sizeof *stage->staged);
    clopt_returns_find(stage->source, stage->local, accept_return, stage,
                       &stage->returns.statements, &stage->divergence);
    try_part(stage, body);
}

static void forget(struct stage *stage)
{
    for (size_t i = 0; i < stage->footprint_count; i++)
        clopt_footprints_fini(&stage->footprints[i]);
    clopt_accesses_fini(&stage->accesses);
    clamps_show(&stage->clamps);
}

/* Chooses once more, where a tile may have so many bytes. */
static void choose_again(struct stage *stage, uint64_t share)
{
    struct stage next = {.source = stage->source,
                         .staging = stage->staging,
                         .local = {stage->local[0], stage->local[1], stage->local[2]},
                         .whole = stage->whole,
                         .share = share,
                         .room = stage->whole,
                         .strip = stage->strip,
                         .as_is = stage->as_is,
                         .error = stage->error};
    forget(stage);
    *stage = next;
    choose(stage);
}

static size_t count_staged(const struct stage *stage)
{
    size_t count = 0;
    for (size_t i = 0; i < stage->tile_count; i++)
        count += stage->tiles[i].footprint->access_count;
    return count;
}

/* Gives all tiles the same share where large ones leave no room for others beside them: they are
 * then of smaller parts, if as much can be staged so. */
static void share_room(struct stage *stage)
{
    size_t count = count_staged(stage);
    if (!count || !stage->large)
        return;
    choose_again(stage, stage->whole / (stage->tile_count + !stage->staged[stage->large->index]));
    if (count_staged(stage) < count)
        choose_again(stage, stage->whole);
}

/* Splits the loops of which a tile is to be filled for each strip, and chooses once more. */
static enum clopt_status split(struct stage *stage, const struct clopt_transform *transform)
{
    clamps_show(&stage->clamps);
    for (size_t i = 0; i < stage->strips.count; i++) {
        struct clopt_tiling tiling = {
            .source = stage->source, .loop = stage->strips.items[i], .size = stage->strip};
        CLOPT_TRY(clopt_tiling_check(&tiling, stage->error));
        CLOPT_TRY(clopt_tilings_build(&tiling, 1, stage->error));
    }
    CLOPT_TRY(clopt_source_reread(transform, &stage->source, stage->error));
    stage->strip = 0;
    choose_again(stage, stage->share);
    share_room(stage);
    return CLOPT_OK;
}

static enum clopt_status run(struct stage *stage, struct clopt_transform *transform)
{
    CLOPT_TRY(clopt_guards_open(transform, &stage->source, returns_can_open, stage->error));
    CLOPT_TRY(names_check(stage->staging->names, stage->source, stage->error));
    choose(stage);
    share_room(stage);
    if (!stage->tile_count && clamps_are_hidden(&stage->clamps)) {
        stage->as_is = true;
        choose_again(stage, stage->whole);
        share_room(stage);
    }
    if (stage->strips.count)
        CLOPT_TRY(split(stage, transform));
    if (stage->tile_count) {
        CLOPT_TRY(rewrite(stage));
        return clopt_transform_set_tree(transform, stage->source, stage->error);
    }
    return stage->refused
               ? CLOPT_INFEASIBLE
               : clopt_source_refuse(stage->source, stage->source->kernel->body, stage->error,
                                     "stage: the kernel reads no such buffer");
}

enum clopt_status stage_apply(struct clopt_transform *transform, const struct staging *staging,
                              struct clopt_error *error)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    const struct clopt_device_info *device = transform->device;
    struct stage stage = {.staging = staging,
                          .error = error,
                          .whole = device ? device->local_memory_bytes : LOCAL_DEFAULT};
    struct clopt_ndrange_change change = {0};
    for (unsigned d = 0; d < 3; d++) {
        stage.local[d] = ndrange && d < ndrange->dimensions ? ndrange->local[d] : 1;
        change.local_only[d] = ndrange && d < ndrange->dimensions;
        change.local_multiple[d] = change.local_only[d] ? stage.local[d] : 0;
    }
    if (!ndrange || !stage.local[0] || !stage.local[1] || !stage.local[2])
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "stage: the local size of %s is not known; set local_size",
                          transform->kernel);
    stage.strip = stage.local[0] < LEAST_STRIP  ? LEAST_STRIP
                  : stage.local[0] > MOST_STRIP ? MOST_STRIP
                                                : (int64_t)stage.local[0];
    stage.room = stage.share = stage.whole;
    enum clopt_status status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_LOOPS, &stage.source, error);
    if (!status)
        status = run(&stage, transform);
    forget(&stage);
    clopt_source_destroy(stage.source);
    change.distinct_buffers = stage.distinct;
    return status ? status : clopt_transform_change_ndrange(transform, &change, error);
}
