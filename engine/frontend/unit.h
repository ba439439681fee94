/* SPDX-License-Identifier: BSD-3-Clause */
/* Translation units of libclang. */
#pragma once

#include "frontend/clang.h"

/* A text that libclang has parsed. Nothing changes it. */
struct clopt_unit {
    CXTranslationUnit unit;
    CXIndex index;
    char *key;      /* all that it was made from */
    unsigned users; /* who has opened it, and not closed it yet */
    bool kept;      /* also while it has no user */
    uint64_t asked; /* when it was opened last: a larger number is later */
};

/* Has libclang parse a text (unsaved[0]) before which it reads another (unsaved[1]), as
 * clang_parseTranslationUnit2() does, unless it was parsed a short while ago: variants of a kernel
 * begin with the same text, and many with the same steps. Not for several threads. */
enum CXErrorCode clopt_unit_open(const struct clopt_clang *clang, const char *file,
                                 const char *const *arguments, int count,
                                 struct CXUnsavedFile unsaved[2], unsigned flags,
                                 struct clopt_unit **unit);
void clopt_unit_close(const struct clopt_clang *clang, struct clopt_unit *unit);
