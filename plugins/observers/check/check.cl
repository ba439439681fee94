/* SPDX-License-Identifier: BSD-3-Clause */
/* What a checked kernel calls at each access: finds accesses outside of buffers and arrays, reads of what was
 * never written, data races, and barriers that not all work-items of a group reach.
 *
 * Before this text, the host defines CLOPT_BASES (buffers and arrays that the kernel knows), CLOPT_MOST (bytes of
 * the largest access), CLOPT_LOG2 (of the bytes of a granule: what has one shadow), CLOPT_ASKS (whether it may depend
 * on a work-item which barriers it reaches) and CLOPT_MIXES (whether plain accesses beside atomic functions race).
 *
 * A granule of global or local memory has five words of shadow:
 *   0, 1  the last write: (work-group + 1) << 12 | site, and (barriers passed + 1) << 16 | who
 *   2, 3  the last read, in the same form; 0xfffff for several work-groups, 0xffff for several work-items
 *   4     what was written: a hash, so that equal values are no race
 *   5, 6  with CLOPT_MIXES, the last atomic function, as of reads
 * Who accesses is a work-item, or a copy of the work-group by its number. */

#define CLOPT_SLOT 16 /* words of a finding */
#define CLOPT_KINDS 8
#define CLOPT_COUNTS 4 /* words after all findings: see clopt_act() */
#define CLOPT_SHADOW (CLOPT_MIXES ? 7 : 5)
#define CLOPT_MANY_GROUPS 0xfffffu
#define CLOPT_MANY_ITEMS 0xffffu
#define CLOPT_COPY 0x8000u /* who: a copy */

enum { CLOPT_OUTSIDE, CLOPT_UNWRITTEN, CLOPT_RACE, CLOPT_RACE_OF_GROUPS, CLOPT_DIVERGENT, CLOPT_INPUT_WRITTEN,
       CLOPT_DIVISION, CLOPT_SHIFT };                            /* kinds of findings */
enum { CLOPT_READS = 1, CLOPT_WRITES = 2, CLOPT_ATOMIC = 4, CLOPT_TOGETHER = 8, CLOPT_FRESH = 16 }; /* what an access does;
 * FRESH: an atomic function that does not look at what was there */
enum { CLOPT_INPUT = 1, CLOPT_TRACKED = 2, CLOPT_OF_GROUP = 4, CLOPT_NOTED = 8 }; /* what a base is */

/* Of one work-item. */
struct clopt_check {
    __global uint *log;
    __global uint *shadow;
    __global uchar *written; /* a byte for each granule of what a run has to write */
    __local uint *votes; /* and of which barriers it is known that a work-item reaches them, two in turn */
    ulong first, window; /* granules that have a shadow in this run */
    uint group, item; /* linear; compilers keep functions that ask for no identity apart */
    uint global_id[3], local_id[3];
    uint items;            /* of the group */
    uint off;      /* it should not be here: nothing is done, and nothing is found */
    uint off_site; /* the condition that turned it off */
    uint voted;    /* whether the group has */
    uint meetings; /* barriers and the like, those of the others included */
    uint epoch[2]; /* barriers passed, for local and for global memory */
    uint copies, waited; /* copies begun, and how many of them were waited for */
    ulong wanted;        /* elements of the last copy */
    uint denied;         /* 1 + the site of an access whose index leaves a row */
    uint acts;           /* whether it has accessed memory */
    __global const ulong *table;
    ulong begin[CLOPT_BASES], bytes[CLOPT_BASES];
    uchar *marks[CLOPT_BASES]; /* of private arrays: a byte a granule */
    ulong zero[CLOPT_MOST / 8], waste[CLOPT_MOST / 8];
    __global uchar *spare;
    __local uchar *local_spare;
};

__constant uchar clopt_constant_zero[CLOPT_MOST] __attribute__((aligned(128))) = {0};

__attribute__((noinline)) void clopt_report(struct clopt_check *c, uint site, uint kind, long index, ulong length, uint other, uint where)
{
    __global uint *slot = c->log + CLOPT_SLOT * (site * CLOPT_KINDS + kind);
    if (atomic_inc((volatile __global uint *)slot))
        return;
    slot[1] = (uint)index;
    slot[2] = (uint)(index >> 32);
    slot[3] = (uint)length;
    slot[4] = (uint)(length >> 32);
    for (uint d = 0; d < 3; d++) {
        slot[5 + d] = c->global_id[d];
        slot[8 + d] = c->local_id[d];
    }
    slot[11] = other; /* the other access: (work-group + 1) << 12 | site */
    slot[12] = where; /* and its work-item */
}

/* ---- data races ---- */

/* The shadow that most accesses find already says what they would note: they only load it. What is stored is noted
 * before the words of others are looked at, so that of two accesses at once one sees the other. */

/* Notes a read; clopt_race looks for writes that it meets. */
void clopt_note_read(volatile __global uint *s, uint me, uint mine)
{
    uint group = me >> 12, many = mine | CLOPT_MANY_ITEMS;
    uint r = s[2] ? s[2] : atomic_cmpxchg(s + 2, 0u, me);
    if (r >> 12 == CLOPT_MANY_GROUPS)
        return;
    if (r && r >> 12 != group) {
        s[2] = CLOPT_MANY_GROUPS << 12 | (me & 0xfff);
    } else if (s[3] != mine && s[3] != many) {
        uint then = atomic_xchg(s + 3, mine);
        if (then >> 16 == mine >> 16 && then != mine)
            s[3] = many;
    }
}

/* Notes a write, and returns whether the last one, *w and *when, may have written another value. */
bool clopt_note_write(volatile __global uint *s, uint me, uint mine, uint hash, uint *w, uint *when)
{
    uint group = me >> 12, tag = (group & 0xff) << 24 | (mine >> 16 & 0xff) << 16 | hash;
    *w = 0;
    if (s[0] >> 12 == group && s[1] == mine) { /* its own */
        s[4] = tag;
        s[0] = me;
        return false;
    }
    uint before = atomic_xchg(s + 4, tag);
    *w = atomic_xchg(s, me);
    *when = atomic_xchg(s + 1, mine);
    bool together = *w >> 12 == group ? before >> 16 == tag >> 16 : before >> 24 != tag >> 24;
    return !hash || (s[4] & 0xffff) != hash || (together && (before & 0xffff) != hash);
}

bool clopt_is_copy(uint when)
{
    return when & CLOPT_COPY && (when & 0xffff) != CLOPT_MANY_ITEMS;
}

/* Whether nothing orders an access of the group, of which `when` is known, and the own one. A copy ends where it is
 * waited for, whatever barriers are passed, and begins for each work-item where that comes to it. */
bool clopt_meets(const struct clopt_check *c, uint when, uint mine)
{
    if (clopt_is_copy(when))
        return (when & 0xffff) != (mine & 0xffff) && (when & 0x7fff) > c->waited;
    if (when >> 16 != mine >> 16)
        return false;
    return clopt_is_copy(mine) ? c->items > 1 : when != mine;
}

/* Reports a race with what is known of earlier accesses. */
void clopt_race_with(struct clopt_check *c, uint before, uint when, uint me, uint mine, long index, ulong length)
{
    bool foreign = before && before >> 12 != me >> 12;
    if (foreign || (before && clopt_meets(c, when, mine)))
        clopt_report(c, me & 0xfff, foreign ? CLOPT_RACE_OF_GROUPS : CLOPT_RACE, index, length, before, when & 0xffff);
}

__attribute__((noinline)) void clopt_race(struct clopt_check *c, ulong granule, uint of_group, uint how, uint site,
                                          uint hash, long index, ulong length)
{
    ulong k = granule - c->first;
    uint epoch = c->epoch[!of_group], group = c->group + 1;
    if (k >= c->window || epoch >= 0xffff || group >= CLOPT_MANY_GROUPS || c->items > 0x7fff || c->copies >= 0x7fff)
        return;
    volatile __global uint *s = (volatile __global uint *)(c->shadow + CLOPT_SHADOW * k);
    uint who = how & CLOPT_TOGETHER ? CLOPT_COPY | c->copies : c->item;
    uint me = group << 12 | site, mine = epoch << 16 | who, w, when;
    bool differs = true;
    if (how & CLOPT_WRITES) {
        differs = clopt_note_write(s, me, mine, hash, &w, &when) || clopt_is_copy(when);
    } else {
        clopt_note_read(how & CLOPT_ATOMIC ? s + 3 : s, me, mine);
        w = s[0];
        when = s[1];
    }
    if (differs && w >> 12 != CLOPT_MANY_GROUPS)
        clopt_race_with(c, w, when, me, mine, index, length);
    if (how & (CLOPT_WRITES | CLOPT_ATOMIC))
        clopt_race_with(c, s[2], s[3], me, mine, index, length);
    if (CLOPT_MIXES && !(how & CLOPT_ATOMIC))
        clopt_race_with(c, s[5], s[6], me, mine, index, length);
}

/* ---- accesses ---- */

/* Finds the base that an access is in; CLOPT_BASES: it is in none. */
uint clopt_find(struct clopt_check *c, ulong at, ulong size, uint first, uint end)
{
    for (uint b = first; b < end; b++)
        if (at >= c->begin[b] && at - c->begin[b] + size <= c->bytes[b])
            return b;
    return CLOPT_BASES;
}

/* Reports an access that is outside of all bases that it may be of: by the nearest one below it. Of all such
 * accesses, the log keeps how many bytes would be enough, up to `last` and size; ~0: no length is. */
__attribute__((noinline)) void clopt_outside(struct clopt_check *c, ulong at, ulong last, ulong size, uint first,
                                             uint end, uint site)
{
    uint nearest = first;
    for (uint b = first; b < end; b++)
        if (c->begin[b] <= at && (c->begin[nearest] > at || c->begin[b] > c->begin[nearest]))
            nearest = b;
    ulong needed = last - c->begin[nearest] + size;
    atomic_max((volatile __global uint *)c->log + CLOPT_SLOT * (site * CLOPT_KINDS + CLOPT_OUTSIDE) + 13,
               needed < ~0u ? (uint)needed : ~0u);
    clopt_report(c, site, CLOPT_OUTSIDE, (long)(at - c->begin[nearest]), c->bytes[nearest], nearest, 0);
}

/* An index of a row or of a member that is an array: of `length` elements, of `bytes` bytes each. One that leaves it
 * is reported, with the number of the row, and the access is not done. */
long clopt_index(struct clopt_check *c, long index, ulong length, ulong bytes, uint base, uint row, uint site)
{
    if ((ulong)index < length || c->off)
        return index;
    clopt_report(c, site, CLOPT_OUTSIDE, index * (long)bytes, length * bytes, base, 1 + row);
    c->denied = 1 + site;
    return 0;
}

/* ---- what does nothing ---- */

/* Counts work-items that access memory, and says below which identities all of them are. */
void clopt_act(struct clopt_check *c)
{
    if (c->acts || c->off)
        return;
    volatile __global uint *counts = (volatile __global uint *)(c->log + c->table[2] - CLOPT_COUNTS);
    c->acts = 1;
    atomic_inc(counts);
    for (uint d = 0; d < 3; d++)
        atomic_max(counts + 1 + d, c->global_id[d] + 1);
}

/* Notes that the body of a loop is executed. */
void clopt_enter_loop(struct clopt_check *c, uint site)
{
    __global uint *slot = c->log + CLOPT_SLOT * site * CLOPT_KINDS + 14;
    if (!c->off && !*slot)
        *slot = 1;
}
#define CLOPT_ENTERED(SITE) clopt_enter_loop(clopt_c, SITE)

/* ---- how accesses are looked at ---- */

/* Whether an access is not to be looked at: it should not be done at all, or something of it was found already. */
bool clopt_is_denied(struct clopt_check *c, uint site)
{
    bool denied = c->denied == 1 + site;
    if (denied)
        c->denied = 0;
    return denied || c->off;
}

/* Whether an access to global, local or constant memory is to be done. */
__attribute__((noinline)) bool clopt_look(struct clopt_check *c, ulong at, ulong size, uint first, uint end, uint site, uint how, uint hash)
{
    clopt_act(c);
    if (clopt_is_denied(c, site))
        return false;
    uint b = clopt_find(c, at, size, first, end);
    if (b == CLOPT_BASES) {
        clopt_outside(c, at, at, size, first, end, site);
        return false;
    }
    ulong offset = at - c->begin[b];
    __global const ulong *own = c->table + 4 + 4 * b;
    uint flags = (uint)own[3];
    if (flags & CLOPT_INPUT) {
        if (!(how & (CLOPT_WRITES | CLOPT_ATOMIC)))
            return true;
        clopt_report(c, site, CLOPT_INPUT_WRITTEN, (long)offset, c->bytes[b], b, 0);
        return false;
    }
    bool unwritten = false;
    ulong shadow_at = own[1] + (flags & CLOPT_OF_GROUP ? c->group * c->table[3] : 0);
    for (ulong g = offset >> CLOPT_LOG2; g <= (offset + size - 1) >> CLOPT_LOG2; g++) {
        ulong granule = shadow_at + g, k = granule - c->first;
        if (flags & (CLOPT_TRACKED | CLOPT_NOTED)) {
            __global uchar *written = c->written + own[2] + g;
            unwritten |= flags & CLOPT_TRACKED && how & (CLOPT_READS | CLOPT_ATOMIC) && !(how & CLOPT_FRESH) && !*written;
            if (how & (CLOPT_WRITES | CLOPT_ATOMIC))
                *written = 1;
        }
        volatile __global uint *s = (volatile __global uint *)(c->shadow + CLOPT_SHADOW * k);
        if (flags & CLOPT_OF_GROUP && k < c->window)
            unwritten |= (how & (CLOPT_READS | CLOPT_ATOMIC)) && !(how & CLOPT_FRESH) && !*s;
        if (CLOPT_MIXES || !(how & CLOPT_ATOMIC))
            clopt_race(c, granule, flags & CLOPT_OF_GROUP, how, site, hash, (long)offset, c->bytes[b]);
        if (flags & CLOPT_OF_GROUP && k < c->window && how & (CLOPT_WRITES | CLOPT_ATOMIC) && !*s)
            atomic_cmpxchg(s, 0u, CLOPT_MANY_GROUPS << 12); /* by an atomic, or where no race is looked for */
    }
    if (unwritten)
        clopt_report(c, site, CLOPT_UNWRITTEN, (long)offset, c->bytes[b], b, 0);
    return true;
}

/* The same for private memory. */
__attribute__((noinline)) bool clopt_look_private(struct clopt_check *c, ulong at, ulong size, uint first, uint end, uint site, uint how)
{
    if (clopt_is_denied(c, site))
        return false;
    uint b = clopt_find(c, at, size, first, end);
    if (b == CLOPT_BASES) {
        clopt_outside(c, at, at, size, first, end, site);
        return false;
    }
    ulong offset = at - c->begin[b];
    bool unwritten = false;
    for (ulong g = offset >> CLOPT_LOG2; c->marks[b] && g <= (offset + size - 1) >> CLOPT_LOG2; g++) {
        unwritten |= how & CLOPT_READS && !c->marks[b][g];
        if (how & CLOPT_WRITES)
            c->marks[b][g] = 1;
    }
    if (unwritten)
        clopt_report(c, site, CLOPT_UNWRITTEN, (long)offset, c->bytes[b], b, 0);
    return true;
}

/* Where an access is to be done: reads outside are of zeros, writes go to waste. */
__global void *clopt_at_global(struct clopt_check *c, __global void *p, ulong size, uint first, uint end, uint site,
                               uint how, uint hash)
{
    if (clopt_look(c, (size_t)p, size, first, end, site, how, hash))
        return p;
    return c->spare + (how & (CLOPT_WRITES | CLOPT_ATOMIC) ? CLOPT_MOST : 0);
}

__local void *clopt_at_local(struct clopt_check *c, __local void *p, ulong size, uint first, uint end, uint site,
                             uint how, uint hash)
{
    if (clopt_look(c, (size_t)p, size, first, end, site, how, hash))
        return p;
    return c->local_spare + (how & (CLOPT_WRITES | CLOPT_ATOMIC) ? CLOPT_MOST : 0);
}

__constant void *clopt_at_constant(struct clopt_check *c, __constant void *p, ulong size, uint first, uint end,
                                   uint site, uint how, uint hash)
{
    return clopt_look(c, (size_t)p, size, first, end, site, how, hash) ? p : (__constant void *)clopt_constant_zero;
}

__private void *clopt_at_private(struct clopt_check *c, __private void *p, ulong size, uint first, uint end,
                                 uint site, uint how, uint hash)
{
    if (clopt_look_private(c, (size_t)p, size, first, end, site, how))
        return p;
    for (uint i = 0; i < CLOPT_MOST / 8; i++)
        c->zero[i] = 0;
    return how & CLOPT_WRITES ? (__private void *)c->waste : (__private void *)c->zero;
}

/* What stands in a checked kernel for an access X: memory that may be accessed in its place. */
#define CLOPT_AT(SPACE, T, X, FIRST, END, SITE, HOW)                                                                  \
    (*(__##SPACE T *)clopt_at_##SPACE(clopt_c, (__##SPACE void *)&(X), sizeof(X), FIRST, END, SITE, HOW, 0))
#define CLOPT_ANY(SPACE, X, FIRST, END, SITE, HOW) CLOPT_AT(SPACE, __typeof__(X), X, FIRST, END, SITE, HOW)

/* The argument P of an atomic function; COUNT elements of BYTES bytes at P, STRIDE * I elements further. */
#define CLOPT_ATOMIC_AT(SPACE, P, FIRST, END, SITE, FRESH)                                                            \
    ((volatile __##SPACE __typeof__(*(P)) *)clopt_at_##SPACE(clopt_c, (__##SPACE void *)(P), sizeof(*(P)), FIRST, END, \
                                                             SITE, CLOPT_ATOMIC | (FRESH), 0))
#define CLOPT_ROW(SPACE, T, BYTES, COUNT, STRIDE, I, P, FIRST, END, SITE, HOW)                                        \
    ((__##SPACE T *)clopt_at_##SPACE(                                                                                 \
        clopt_c, (__##SPACE void *)((__##SPACE uchar *)(P) + (size_t)(I) * (STRIDE) * (BYTES)), (COUNT) * (BYTES),    \
        FIRST, END, SITE, HOW, 0))

/* Of a copy of n elements, the first of them at `at`, `stride` bytes from one to the next: how many are inside before
 * the first one that is not. The first work-item looks at them for all. */
ulong clopt_copied(struct clopt_check *c, ulong at, ulong size, ulong stride, ulong n, uint first, uint end, uint site,
                   uint how)
{
    clopt_act(c);
    uint b = clopt_find(c, at, size, first, end);
    ulong room = b < CLOPT_BASES ? c->bytes[b] - (at - c->begin[b]) - size : 0;
    ulong inside = b == CLOPT_BASES ? 0 : stride && room / stride < n ? room / stride + 1 : n;
    inside = inside < n ? inside : n;
    bool input = inside && how & CLOPT_WRITES && c->table[4 + 4 * b + 3] & CLOPT_INPUT;
    if (c->off || c->item)
        return input ? 0 : inside;
    if (inside < n)
        clopt_outside(c, at + inside * stride, at + (n - 1) * stride, size, first, end, site);
    for (ulong i = 0; i < (input ? 1 : inside); i++)
        clopt_look(c, at + i * stride, size, first, end, site, CLOPT_TOGETHER | how, 0);
    return input ? 0 : inside;
}

/* How many elements an asynchronous copy may read, and how many of those it may write: as many as are inside. */
ulong clopt_copied_from(struct clopt_check *c, ulong at, ulong size, ulong stride, ulong n, uint first, uint end,
                        uint site)
{
    c->copies += c->copies < 0x7fff;
    c->wanted = n;
    return clopt_copied(c, at, size, stride * size, n, first, end, site, CLOPT_READS);
}
ulong clopt_copied_to(struct clopt_check *c, ulong at, ulong size, ulong stride, ulong n, uint first, uint end,
                      uint site)
{
    ulong inside = clopt_copied(c, at, size, stride * size, c->wanted, first, end, site, CLOPT_WRITES);
    return inside < n ? inside : n;
}

/* P, to or from which N elements are copied, or fewer of them. */
#define CLOPT_COPIED(WAY, P, STRIDE, N, FIRST, END, SITE)                                                             \
    clopt_copied_##WAY(clopt_c, (size_t)(P), sizeof(*(P)), STRIDE, N, FIRST, END, SITE)

/* A compare-and-swap outside finds what it compares with: loops around it end. */
#define CLOPT_EXCHANGE(SPACE, T, FUNCTION)                                                                            \
    T clopt_##FUNCTION##_##SPACE##_##T(struct clopt_check *c, volatile __##SPACE T *p, T compare, T value, uint first, \
                                       uint end, uint site)                                                           \
    {                                                                                                                 \
        return clopt_look(c, (size_t)p, sizeof(T), first, end, site, CLOPT_ATOMIC, 0) ? FUNCTION(p, compare, value)   \
                                                                                      : compare;                      \
    }

uint clopt_hash(const __private uchar *bytes, uint size)
{
    uint hash = 2166136261u;
    for (uint i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    hash = (hash ^ hash >> 16) & 0xffff;
    return hash ? hash : 1;
}

/* X = V, of a type T of BYTES bytes that count. */
#define CLOPT_STORE(SPACE, T, BYTES)                                                                                  \
    T clopt_store_##SPACE##_##T(struct clopt_check *c, __##SPACE T *p, T v, uint first, uint end, uint site)          \
    {                                                                                                                 \
        *(__##SPACE T *)clopt_at_##SPACE(c, (__##SPACE void *)p, sizeof(T), first, end, site, CLOPT_WRITES,           \
                                         clopt_hash((const __private uchar *)&v, BYTES)) = v;                         \
        return v;                                                                                                     \
    }
#define CLOPT_SET(SPACE, T, X, V, FIRST, END, SITE)                                                                   \
    clopt_store_##SPACE##_##T(clopt_c, (__##SPACE T *)&(X), V, FIRST, END, SITE)

/* ---- arithmetic ---- */

#define CLOPT_ARITHMETIC(T)                                                                                           \
    T clopt_divisor_##T(struct clopt_check *c, T divisor, uint site)                                                  \
    {                                                                                                                 \
        if (divisor == 0 && !c->off)                                                                                  \
            clopt_report(c, site, CLOPT_DIVISION, 0, 0, 0, 0);                                                        \
        return divisor == 0 ? (T)1 : divisor;                                                                         \
    }                                                                                                                 \
    T clopt_distance_##T(struct clopt_check *c, T distance, uint bits, uint site)                                     \
    {                                                                                                                 \
        if ((ulong)distance >= bits && !c->off)                                                                       \
            clopt_report(c, site, CLOPT_SHIFT, (long)distance, bits, 0, 0);                                           \
        return distance & (T)(bits - 1);                                                                              \
    }
CLOPT_ARITHMETIC(int)
CLOPT_ARITHMETIC(uint)
CLOPT_ARITHMETIC(long)
CLOPT_ARITHMETIC(ulong)

/* ---- barriers ---- */

/* Where all work-items of a group have to come: who is off, while another one is not, does not reach it. That one is
 * known once all are there; two in turn are enough, since none comes to the second before. */
void clopt_meet(struct clopt_check *c)
{
#if CLOPT_ASKS
    volatile __local uint *reached = c->votes + 1 + (++c->meetings & 1);
    if (!c->off)
        *reached = c->meetings;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c->off && *reached == c->meetings)
        clopt_report(c, c->off_site, CLOPT_DIVERGENT, 0, 0, 0, 0);
#endif
}

/* Behind a wait for copies; those that are not waited for count as waited for, too. */
void clopt_wait(struct clopt_check *c)
{
    c->waited = c->copies;
}

void clopt_pass(struct clopt_check *c, cl_mem_fence_flags flags)
{
    if (flags & CLK_LOCAL_MEM_FENCE && c->epoch[0] < 0xffff)
        c->epoch[0]++;
    if (flags & CLK_GLOBAL_MEM_FENCE && c->epoch[1] < 0xffff)
        c->epoch[1]++;
}

/* Asks all work-items of a group for a condition on which a barrier depends: bits 1 for true, 2 for false. All
 * of them go where one of them goes; those that should not are off there. */
uint clopt_vote(struct clopt_check *c, bool condition)
{
    barrier(CLK_LOCAL_MEM_FENCE);
    if (c->item == 0)
        *c->votes = 0;
    if (c->item == 0 && !c->voted)
        c->votes[1] = c->votes[2] = 0;
    c->voted = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!c->off)
        atomic_or((volatile __local uint *)c->votes, condition ? 1u : 2u);
    barrier(CLK_LOCAL_MEM_FENCE);
    return *c->votes;
}

void clopt_turn_off(struct clopt_check *c, bool own, uint site)
{
    if (own && !c->off)
        c->off_site = site;
    c->off += own;
}

/* Of `if (condition) ...` and of `if (condition) return`. */
bool clopt_enter(struct clopt_check *c, bool condition, uint site)
{
    uint votes = clopt_vote(c, condition);
    clopt_turn_off(c, votes == 3 && !condition, site);
    return votes & 1;
}
bool clopt_leave(struct clopt_check *c, bool condition, uint site)
{
    uint votes = clopt_vote(c, condition);
    clopt_turn_off(c, votes == 3 && condition, site);
    return !(votes & 2);
}

/* CONDITION ? A : B, where all work-items go where one of them goes. */
#define CLOPT_CHOOSE(CONDITION, A, B, SITE)                                                                           \
    ({                                                                                                                \
        const uint clopt_was_off = clopt_c->off;                                                                      \
        const bool clopt_first = (CONDITION);                                                                         \
        __typeof__(1 ? (A) : (B)) clopt_values[2];                                                                    \
        if (clopt_enter(clopt_c, clopt_first, SITE))                                                                  \
            clopt_values[0] = (A);                                                                                    \
        clopt_c->off = clopt_was_off;                                                                                 \
        if (clopt_enter(clopt_c, !clopt_first, SITE))                                                                 \
            clopt_values[1] = (B);                                                                                    \
        clopt_c->off = clopt_was_off;                                                                                 \
        clopt_first ? clopt_values[0] : clopt_values[1];                                                              \
    })

/* ---- begin ---- */

/* The table has, for each base, bytes, shadow_at, written_at and flags; before them `first`, `window`, the words
 * of the log, and the granules that a work-group's own memory takes. */
void clopt_begin(struct clopt_check *c, __global uint *log, __global uint *shadow, __global uchar *written,
                 __global const ulong *table, __local uint *votes, __local uchar *local_spare)
{
    c->log = log;
    c->shadow = shadow;
    c->written = written;
    c->votes = votes;
    c->table = table;
    c->first = table[0];
    c->window = table[1];
    c->spare = (__global uchar *)(log + table[2]);
    c->local_spare = local_spare;
    c->group = (uint)((get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0));
    c->item = (uint)((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0));
    for (uint d = 0; d < 3; d++) {
        c->global_id[d] = (uint)get_global_id(d);
        c->local_id[d] = (uint)get_local_id(d);
    }
    c->items = (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2));
    c->off = c->voted = c->meetings = c->copies = c->waited = c->denied = c->acts = 0;
    c->epoch[0] = c->epoch[1] = 1; /* 0: none */
    for (uint b = 0; b < CLOPT_BASES; b++) {
        c->bytes[b] = table[4 + 4 * b];
        c->begin[b] = 0;
        c->marks[b] = 0;
    }
    /* No barrier: one in a kernel that has none makes it slower, and PoCL 3.1 hang where a loop returns. */
    for (uint i = 0; i < CLOPT_MOST / 8; i++)
        ((__local ulong *)local_spare)[i] = 0;
}

/* Takes note of where a private array is; `marks` (0: none) has a byte for each granule of it. */
void clopt_private_base(struct clopt_check *c, uint b, __private const void *array, ulong bytes,
                        __private uchar *marks, uchar set)
{
    c->begin[b] = (size_t)array;
    c->bytes[b] = bytes;
    c->marks[b] = marks;
    for (ulong g = 0; marks && g < (bytes + (1 << CLOPT_LOG2) - 1) >> CLOPT_LOG2; g++)
        marks[g] = set;
}

/* What a checked kernel says of its own. */
#define CLOPT_BEGIN()                                                                                                 \
    struct clopt_check clopt_state;                                                                                   \
    struct clopt_check *clopt_c = &clopt_state;                                                                       \
    __local uint clopt_votes[3];                                                                                      \
    __local uchar clopt_local_spare[2 * CLOPT_MOST] __attribute__((aligned(128)));                                    \
    clopt_begin(clopt_c, clopt_log, clopt_shadow, clopt_written, clopt_table, clopt_votes, clopt_local_spare)
#define CLOPT_POINTER_BASE(P, B) clopt_c->begin[B] = (size_t)(P)
#define CLOPT_BASE(X, B)         (clopt_c->begin[B] = (size_t)&(X), clopt_c->bytes[B] = sizeof(X))
#define CLOPT_PRIVATE_BASE(X, B) clopt_private_base(clopt_c, B, (__private const void *)&(X), sizeof(X), 0, 1)
#define CLOPT_MARKED_BASE(X, B, MARKS)                                                                                \
    clopt_private_base(clopt_c, B, (__private const void *)&(X), sizeof(X), MARKS, 0)
