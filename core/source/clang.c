/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens libclang and finds its functions. */
#include "source/clang.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const struct {
    const char *symbol;
    size_t offset;
} functions[] = {
#define CLOPT_CLANG_ROW(name) {"clang_" #name, offsetof(struct clopt_clang, name)},
    CLOPT_CLANG_FUNCTIONS(CLOPT_CLANG_ROW)
#undef CLOPT_CLANG_ROW
};

enum clopt_status clopt_clang_open(struct clopt_clang *clang, struct clopt_error *error)
{
    memset(clang, 0, sizeof *clang);
    /* Never closed by dlclose() in truth: LLVM registers handlers that must not go away. */
    clang->library = dlopen(CLOPT_LIBCLANG, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!clang->library)
        return clopt_fail(error, CLOPT_FAILED,
                          "libclang cannot be opened (%s); install it, or configure clopt with "
                          "LIBCLANG=PATH",
                          dlerror());
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *address = dlsym(clang->library, functions[i].symbol);
        if (!address) {
            clopt_clang_close(clang);
            return clopt_fail(error, CLOPT_FAILED,
                              "%s has no function %s; configure clopt with a newer LIBCLANG=PATH",
                              CLOPT_LIBCLANG, functions[i].symbol);
        }
        memcpy((char *)clang + functions[i].offset, &address, sizeof address);
    }
    return CLOPT_OK;
}

void clopt_clang_close(struct clopt_clang *clang)
{
    if (clang->library)
        dlclose(clang->library);
    memset(clang, 0, sizeof *clang);
}
