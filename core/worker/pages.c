/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory whose pages can be protected: a write there goes on, and is noticed. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "worker/pages.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_BLOCKS 64 /* more are not protected */

/* A handler of signals has nothing but globals. */
static struct block {
    _Atomic uintptr_t start; /* 0: none */
    _Atomic size_t bytes;
    atomic_bool written;
} blocks[MOST_BLOCKS];

static struct block *find(uintptr_t address)
{
    for (unsigned i = 0; i < MOST_BLOCKS; i++)
        if (address - blocks[i].start < blocks[i].bytes)
            return &blocks[i];
    return NULL;
}

/* Notes a write, and lets it go on. */
static void notice(int number, siginfo_t *info, void *context)
{
    struct block *block = info->si_code == SEGV_ACCERR ? find((uintptr_t)info->si_addr) : NULL;
    (void)context;
    if (block)
        block->written = true;
    if (!block || mprotect((void *)block->start, block->bytes, PROT_READ | PROT_WRITE) != 0)
        signal(number, SIG_DFL); /* the fault comes back, and ends the process */
}

/* A sanitizer has the handler for itself: then no pages are to be had. */
#ifdef __SANITIZE_ADDRESS__
#define IS_TAKEN 1
#else
#define IS_TAKEN 0
#endif

void clopt_pages_watch(void)
{
    struct sigaction action = {.sa_sigaction = notice, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    if (!IS_TAKEN)
        sigaction(SIGSEGV, &action, NULL);
}

void *clopt_pages_map(size_t *bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (*bytes + page - 1) / page * page;
    unsigned free_one = 0;
    while (free_one < MOST_BLOCKS && blocks[free_one].start)
        free_one++;
    if (IS_TAKEN || free_one == MOST_BLOCKS)
        return NULL;
    void *start = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    blocks[free_one].written = false;
    blocks[free_one].bytes = *bytes = whole;
    blocks[free_one].start = (uintptr_t)start;
    return start;
}

void clopt_pages_release(void *pages)
{
    struct block *block = pages ? find((uintptr_t)pages) : NULL;
    if (!block)
        return;
    munmap(pages, block->bytes);
    block->start = block->bytes = 0;
}

bool clopt_pages_protect(void *pages)
{
    struct block *block = find((uintptr_t)pages);
    block->written = false;
    return mprotect(pages, block->bytes, PROT_READ) == 0;
}

void clopt_pages_open(void *pages)
{
    mprotect(pages, find((uintptr_t)pages)->bytes, PROT_READ | PROT_WRITE);
}

bool clopt_pages_were_written(const void *pages)
{
    return find((uintptr_t)pages)->written;
}
