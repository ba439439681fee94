/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a study something is, for messages. */
#ifndef KERNEL_PLACE_H
#define KERNEL_PLACE_H

#include <clopt/app.h>

/* A key of a section; without a key, the section itself. The texts are the description's. */
struct kernel_place {
    const char *origin; /* study.ini:12 */
    const char *section;
    const char *key;
    const char *value;
};

struct kernel_place kernel_place_of(const struct clopt_section *section,
                                    const struct clopt_setting *setting);

/* Fails with CLOPT_INVALID and `study.ini:12: [section] key: reason`. */
enum clopt_status kernel_fail(const struct kernel_place *place, struct clopt_error *error,
                              const char *format, ...) CLOPT_PRINTF(3, 4);

/* Puts the place in front of the message that `error` holds. */
enum clopt_status kernel_fail_within(const struct kernel_place *place, struct clopt_error *error);

/* Finds the section or setting of a name; NULL where there is none. */
const struct clopt_section *kernel_section(const struct clopt_description *description,
                                           const char *name);
const struct clopt_setting *kernel_setting(const struct clopt_section *section, const char *key);

/* Refuses every key of a section that is not among `keys`, which NULL ends. */
enum clopt_status kernel_check_keys(const struct clopt_section *section, const char *const *keys,
                                    struct clopt_error *error);

/* Tells whether a text is an identifier of C. */
bool kernel_is_identifier(const char *text);

#endif
