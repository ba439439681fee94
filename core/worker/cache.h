/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder on disk where clopt keeps what takes long to make. */
#ifndef CLOPT_WORKER_CACHE_H
#define CLOPT_WORKER_CACHE_H

/* Returns the folder, or the one called `below` in it (NULL: itself), for the caller to free; NULL
 * where the environment names none, or memory runs out. Nothing is created. */
char *clopt_cache_folder(const char *below);

#endif
