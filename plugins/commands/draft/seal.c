/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a study that nobody has edited since `clopt init` wrote it. */
#include "commands/draft/draft.h"

#include "file/sha256.h"

#define SEAL "; As `clopt init` wrote it ("
#define SHORT                                                                                      \
    "\n; `clopt plugins` lists all optimizations and values.\n" /* and after it the lists */

void clopt_draft_seal(struct clopt_text *study)
{
    char hex[CLOPT_HASH_SIZE];
    clopt_sha256_bytes(clopt_text_string(study), study->length, hex);
    clopt_text_printf(study,
                      SEAL "%.16s): as long as nothing is edited, `clopt tune` searches\n"
                           "; with longer lists and larger sizes, which it writes here.\n",
                      hex);
}

size_t clopt_draft_sealed(const char *study)
{
    char hex[CLOPT_HASH_SIZE];
    const char *seal = strstr(study, SEAL), *lists = strstr(study, SHORT);
    if (!seal || !lists || lists > seal)
        return 0;
    clopt_sha256_bytes(study, (size_t)(seal - study), hex);
    return strncmp(seal + strlen(SEAL), hex, 16) == 0 ? (size_t)(lists - study) : 0;
}
