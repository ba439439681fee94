/* SPDX-License-Identifier: BSD-3-Clause */
/* Has libclang parse texts, each once as long as it is among the last. */
#include "frontend/unit.h"

#include <clopt/memory.h>

#include "text/text.h"

#define MOST_KEPT 32 /* of about half a MiB each */

/* What was parsed last. It belongs to the process, as libclang does. */
static struct clopt_unit *last[MOST_KEPT];
static uint64_t opened;

static char *write_key(const char *file, const char *const *arguments, int count,
                       const struct CXUnsavedFile unsaved[2], unsigned flags)
{
    struct clopt_text key = {0};
    clopt_text_printf(&key, "%s\n%u\n", file, flags);
    for (int i = 0; i < count; i++)
        clopt_text_printf(&key, "%s\n", arguments[i]);
    clopt_text_printf(&key, "%lu\n%s%s", unsaved[0].Length, unsaved[0].Contents,
                      unsaved[1].Contents);
    return clopt_text_take(&key);
}

static void destroy(const struct clopt_clang *clang, struct clopt_unit *unit)
{
    if (!unit)
        return;
    if (unit->unit)
        clang->disposeTranslationUnit(unit->unit);
    clang->disposeIndex(unit->index);
    free(unit->key);
    free(unit);
}

/* Returns where a unit may be kept, the one that was not asked for for longest; NULL: nowhere. */
static struct clopt_unit **find_room(void)
{
    struct clopt_unit **room = NULL;
    for (size_t i = 0; i < MOST_KEPT; i++) {
        if (!last[i])
            return &last[i];
        if (!last[i]->users && (!room || last[i]->asked < (*room)->asked))
            room = &last[i];
    }
    return room;
}

enum CXErrorCode clopt_unit_open(const struct clopt_clang *clang, const char *file,
                                 const char *const *arguments, int count,
                                 struct CXUnsavedFile unsaved[2], unsigned flags,
                                 struct clopt_unit **unit)
{
    CLOPT_FREED char *key = write_key(file, arguments, count, unsaved, flags);
    *unit = NULL;
    for (size_t i = 0; i < MOST_KEPT && last[i] && !*unit; i++)
        if (strcmp(last[i]->key, key) == 0)
            *unit = last[i];
    if (!*unit) {
        struct clopt_unit *made = clopt_calloc(1, sizeof *made);
        made->index = clang->createIndex(0, 0);
        enum CXErrorCode code = clang->parseTranslationUnit2(made->index, file, arguments, count,
                                                             unsaved, 2, flags, &made->unit);
        if (code != CXError_Success) {
            destroy(clang, made);
            return code;
        }
        /* Files that it includes may change. */
        struct clopt_unit **room = strstr(unsaved[0].Contents, "include") ? NULL : find_room();
        if (room) {
            destroy(clang, *room);
            *room = made;
        }
        made->kept = room != NULL;
        made->key = key;
        key = NULL;
        *unit = made;
    }
    (*unit)->users++;
    (*unit)->asked = ++opened;
    return CXError_Success;
}

void clopt_unit_close(const struct clopt_clang *clang, struct clopt_unit *unit)
{
    if (unit && --unit->users == 0 && !unit->kept)
        destroy(clang, unit);
}
