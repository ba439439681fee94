/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a study, or lists of optimizations in it, that nobody has edited since `clopt init` wrote
 * them. */
#include "commands/draft/draft.h"

#include "file/sha256.h"

#define SEAL  "; As `clopt init` wrote it ("
#define SHOWN 16 /* characters of a hash */
#define SHORT                                                                                      \
    "\n; `clopt plugins` lists all optimizations and values.\n" /* and after it the lists */

/* Hashes a study from a place on: all of it, or its lists. */
static void hash(const char *from, const char *end, char hex[CLOPT_HASH_SIZE])
{
    clopt_sha256_bytes(from, (size_t)(end - from), hex);
    hex[SHOWN] = '\0';
}

void clopt_draft_seal(struct clopt_text *study)
{
    char whole[CLOPT_HASH_SIZE], own[CLOPT_HASH_SIZE];
    const char *text = clopt_text_string(study), *lists = strstr(text, SHORT);
    hash(text, text + study->length, whole);
    hash(lists ? lists : text, text + study->length, own);
    clopt_text_printf(
        study,
        SEAL "%s %s): as long as these lists are not edited,\n"
             "; `clopt tune` searches with longer ones, and where nothing is edited with larger\n"
             "; sizes, which it writes here.\n",
        whole, own);
}

size_t clopt_draft_sealed(const char *study, bool *whole)
{
    char hex[CLOPT_HASH_SIZE];
    const char *seal = strstr(study, SEAL), *lists = strstr(study, SHORT);
    if (!seal || !lists || lists > seal)
        return 0;
    const char *hashes = seal + strlen(SEAL);
    hash(study, seal, hex);
    *whole = strncmp(hashes, hex, SHOWN) == 0;
    hash(lists, seal, hex);
    bool own = strcspn(hashes, " )") == SHOWN && strncmp(hashes + SHOWN + 1, hex, SHOWN) == 0;
    return *whole || own ? (size_t)(lists - study) : 0;
}
