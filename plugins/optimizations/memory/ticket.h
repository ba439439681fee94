/* SPDX-License-Identifier: BSD-3-Clause */
/* Tickets that work-items draw from a counter. */
#pragma once

#include "update.h"

/* The one update of a buffer, whose result is used. */
struct ticket {
    const struct clopt_variable *buffer;
    struct update update;
    enum clopt_scalar scalar;      /* of the counter */
    const struct clopt_node *item; /* the number of a work-item in its group */
};

/* Has a group draw its tickets at once: adds what is declared, and what is cleared before the
 * kernel's statements. Returns NULL, or why that cannot be. */
const char *ticket_draw(struct clopt_source *source, const struct ticket *ticket,
                        struct clopt_nodes *declared, struct clopt_nodes *cleared);
