/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of the application, by their handles, as long as it holds them. A handle is never
 * followed: what is not in the table may be anything. */
#include "layer/layer.h"

#include <pthread.h>

#define BUCKETS 4096

static struct clopt_object *table[CLOPT_HANDLES][BUCKETS];

/* Is held while the last reference to an object goes, and while those that are there are kept: what
 * is in the table can be kept then. It comes before the layer's lock. */
static pthread_mutex_t leaving = PTHREAD_MUTEX_INITIALIZER;

/* Returns where the pointer to an object is, or would be. */
static struct clopt_object **find_link(enum clopt_handle_kind kind, const void *handle)
{
    uintptr_t bits = (uintptr_t)handle;
    struct clopt_object **link = &table[kind][(bits >> 4 ^ bits >> 16) % BUCKETS];
    while (*link && (*link)->handle != handle)
        link = &(*link)->next;
    return link;
}

void *clopt_object_find(enum clopt_handle_kind kind, const void *handle)
{
    return *find_link(kind, handle);
}

void clopt_object_drop(void *known)
{
    struct clopt_object *object = known;
    if (!object || --object->references)
        return;
    if (object->fini)
        object->fini(object);
    free(object);
}

static struct clopt_object *take_out(enum clopt_handle_kind kind, const void *handle)
{
    struct clopt_object **link = find_link(kind, handle), *object = *link;
    if (object)
        *link = object->next;
    return object;
}

void clopt_object_remove(enum clopt_handle_kind kind, const void *handle)
{
    clopt_layer_lock();
    clopt_object_drop(take_out(kind, handle));
    clopt_layer_unlock();
}

void *clopt_object_find_range(enum clopt_handle_kind kind, const void *at)
{
    struct clopt_object *nearest = NULL;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct clopt_object *object = table[kind][i]; object; object = object->next)
            if ((uintptr_t)object->handle <= (uintptr_t)at &&
                (!nearest || (uintptr_t)object->handle > (uintptr_t)nearest->handle))
                nearest = object;
    return nearest;
}

/* Puts an object into the table, with the lock held. */
static void put(enum clopt_handle_kind kind, struct clopt_object *object)
{
    clopt_object_drop(
        take_out(kind, object->handle)); /* the driver has released that: we missed it */
    object->held = 1;
    object->next = NULL;
    *find_link(kind, object->handle) = object;
}

void clopt_object_add(enum clopt_handle_kind kind, void *handle, void *known)
{
    struct clopt_object *object = known;
    clopt_layer_lock();
    if (object) {
        object->handle = handle;
        object->references = 1;
        put(kind, object);
    } else {
        clopt_object_drop(take_out(kind, handle));
    }
    clopt_layer_unlock();
}

static void count(enum clopt_handle_kind kind, const void *handle)
{
    clopt_layer_lock();
    struct clopt_object *object = clopt_object_find(kind, handle);
    if (object)
        object->held++;
    clopt_layer_unlock();
}

/* Takes an object out that is about to be released for the last time: as soon as it is, another
 * thread may make one with the same handle. */
static struct clopt_object *begin_release(enum clopt_handle_kind kind, const void *handle)
{
    pthread_mutex_lock(&leaving);
    clopt_layer_lock();
    struct clopt_object *object = clopt_object_find(kind, handle);
    if (object && --object->held == 0)
        take_out(kind, handle);
    else
        object = NULL;
    clopt_layer_unlock();
    pthread_mutex_unlock(&leaving);
    return object;
}

size_t clopt_object_retain_all(enum clopt_handle_kind kind, void **handles, size_t most,
                               cl_int (*retain)(void *handle))
{
    size_t count = 0, kept = 0;
    pthread_mutex_lock(&leaving);
    clopt_layer_lock();
    for (size_t i = 0; i < BUCKETS; i++)
        for (const struct clopt_object *object = table[kind][i]; object && count < most;
             object = object->next)
            handles[count++] = object->handle;
    clopt_layer_unlock();
    for (size_t i = 0; i < count; i++)
        if (retain(handles[i]) == CL_SUCCESS)
            handles[kept++] = handles[i];
    pthread_mutex_unlock(&leaving);
    return kept;
}

/* Objects of the layer's own that are to be released. */
static struct left {
    enum clopt_handle_kind kind;
    void *handle;
} * left;
static size_t left_count;

void clopt_handle_leave(enum clopt_handle_kind kind, void *handle)
{
    struct left *more = handle ? realloc(left, (left_count + 1) * sizeof *left) : NULL;
    if (!more)
        return;
    left = more;
    left[left_count++] = (struct left){kind, handle};
}

void clopt_handles_release(void)
{
    struct left item = {0};
    do {
        clopt_layer_lock();
        item = left_count ? left[--left_count] : (struct left){0};
        if (!left_count) {
            free(left);
            left = NULL;
        }
        clopt_layer_unlock();
        if (item.handle && item.kind == CLOPT_KERNEL)
            clopt_next->clReleaseKernel(item.handle);
        else if (item.handle && item.kind == CLOPT_MEMORY)
            clopt_next->clReleaseMemObject(item.handle);
        else if (item.handle)
            clopt_next->clReleaseProgram(item.handle);
    } while (item.handle);
}

static void end_release(enum clopt_handle_kind kind, struct clopt_object *object, cl_int result)
{
    clopt_layer_lock();
    if (object && result != CL_SUCCESS)
        put(kind, object);
    else
        clopt_object_drop(object);
    clopt_layer_unlock();
    if (object)
        clopt_handles_release();
}

#define COUNTING(NAME, KIND, TYPE)                                                                 \
    static CL_API_ENTRY cl_int CL_API_CALL retain_##NAME(TYPE handle)                              \
    {                                                                                              \
        cl_int result = clopt_next->clRetain##NAME(handle);                                        \
        if (result == CL_SUCCESS)                                                                  \
            count(KIND, handle);                                                                   \
        return result;                                                                             \
    }                                                                                              \
    static CL_API_ENTRY cl_int CL_API_CALL release_##NAME(TYPE handle)                             \
    {                                                                                              \
        struct clopt_object *last = begin_release(KIND, handle);                                   \
        cl_int result = clopt_next->clRelease##NAME(handle);                                       \
        end_release(KIND, last, result);                                                           \
        return result;                                                                             \
    }
COUNTING(CommandQueue, CLOPT_QUEUE, cl_command_queue)
COUNTING(MemObject, CLOPT_MEMORY, cl_mem)
COUNTING(Sampler, CLOPT_SAMPLER, cl_sampler)
COUNTING(Program, CLOPT_PROGRAM, cl_program)
COUNTING(Kernel, CLOPT_KERNEL, cl_kernel)

/* ---- fork() ---- */

static void lock_all(void)
{
    pthread_mutex_lock(&leaving);
    clopt_layer_lock();
}

static void unlock_all(void)
{
    clopt_layer_unlock();
    pthread_mutex_unlock(&leaving);
}

/* A child that goes on without exec() has rows of its own. */
static void go_on_in_child(void)
{
    clopt_record_forget();
    clopt_times_forget();
    clopt_activities_begin();
    unlock_all();
}

void clopt_objects_install(cl_icd_dispatch *dispatch)
{
    pthread_atfork(lock_all, unlock_all, go_on_in_child);
#define INSTALL(NAME)                                                                              \
    dispatch->clRetain##NAME = retain_##NAME;                                                      \
    dispatch->clRelease##NAME = release_##NAME
    INSTALL(CommandQueue);
    INSTALL(MemObject);
    INSTALL(Sampler);
    INSTALL(Program);
    INSTALL(Kernel);
}
