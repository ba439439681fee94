/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files that read and change INIs have in common. */
#pragma once

#include "study/ini.h"

/* Finds or adds a section. */
struct clopt_ini_section *clopt_ini_provide(struct clopt_ini *ini, const char *name,
                                            const char *origin);

/* Adds a setting, or replaces the one of the same key. */
void clopt_ini_set(struct clopt_ini_section *section, const char *key, const char *value,
                   const char *origin);

/* Takes a setting of the section out of it. */
void clopt_ini_drop(struct clopt_ini_section *section, const struct clopt_ini_setting *setting);

/* Copies all of one INI into another, where it wins. */
void clopt_ini_merge(struct clopt_ini *into, const struct clopt_ini *from);

/* Copies a name with runs of blanks made one blank, and none at the ends; `to` may be `from`. */
void clopt_ini_copy_name(const char *from, size_t length, char *to);

/* Says why a value could not stand in a file: what is effective must be readable as an INI. NULL:
 * it could. */
const char *clopt_ini_check_value(const char *value);

/* Whether a text can be a line that continues a value: it looks like no comment and no section, nor
 * like a key that was indented by mistake. */
bool clopt_ini_may_continue(const char *text);
