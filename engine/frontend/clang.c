/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens libclang and finds its functions. */
#define _GNU_SOURCE /* secure_getenv() */
#include "frontend/clang.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "process/child.h"
#include "text/text.h"

#define PACKAGES "libclang1-" CLOPT_CLANG_VERSION " and libclang-common-" CLOPT_CLANG_VERSION "-dev"

const char *clopt_clang_headers(void)
{
    const char *named =
        secure_getenv("CLOPT_CLANG_HEADERS"); /* what was moved after it was built */
    return named && *named ? named : CLOPT_CLANG_HEADERS;
}

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
    char small[CLOPT_SMALL_LIMIT_MAX];
    clopt_small_limit(small);
    memset(clang, 0, sizeof *clang);
    CLOPT_FREED char *base = clopt_text_format("%s/opencl-c-base.h", clopt_clang_headers());
    if (access(base, R_OK) < 0)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s, which libclang needs, cannot be read (%s); install it "
                          "(Debian packages " PACKAGES
                          "), or configure clopt with CLANG_HEADERS=FOLDER",
                          base, strerror(errno));
    /* Never closed by dlclose() in truth: LLVM registers handlers that must not go away. */
    clang->library = dlopen(CLOPT_LIBCLANG, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    if (!clang->library)
        return clopt_fail(error, CLOPT_FAILED,
                          "libclang cannot be opened (%s); install it (Debian packages " PACKAGES
                          "), or configure clopt with LIBCLANG=PATH%s",
                          dlerror(), small);
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
