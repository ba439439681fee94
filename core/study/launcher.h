/* SPDX-License-Identifier: BSD-3-Clause */
/* What starts workers elsewhere: operations of extensions of kind LAUNCHER. */
#pragma once

#include <stdbool.h>

#include "plugin/registry.h"

struct clopt_transport; /* pool/transport.h */

/* The variables that tell each of several processes its number, from 0, and how many there are. */
struct clopt_launcher_ranks {
    const char *rank, *size;
};

struct clopt_launcher {
    const char *command; /* of the shell: %h becomes the host's name, the program comes after it */
    bool standard;       /* hosts use it unless they name another one */
    /* Variables in which a batch system says which hosts a job has, to be started by this: a list,
     * or the path of a file of names. They end with NULL; NULL: there are none. */
    const char *const *lists;
    const struct clopt_launcher_ranks *ranks; /* end with one without a name; NULL: none */
    /* Carries what workers there say, whatever has started them; NULL: another launcher's does. */
    const struct clopt_transport *transport;
};

/* Finds the transport of the first launcher that has one. */
enum clopt_status clopt_launcher_transport(const struct clopt_registry *registry,
                                           const struct clopt_transport **transport,
                                           struct clopt_error *error);
