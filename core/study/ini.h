/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads INI files with their includes, and remembers where each value came from. */
#pragma once

#include <clopt/error.h>

struct clopt_ini_setting {
    char *key;
    char *value;
    char *origin; /* "study.ini:12" or "command line" */
};

struct clopt_ini_section {
    char *name; /* without double blanks: "app lud" */
    char *origin;
    struct clopt_ini_setting *settings;
    size_t count;
};

/* Sections in the order in which they first appear; those of included files come first. */
struct clopt_ini {
    struct clopt_ini_section *sections;
    size_t count;
};

struct clopt_registry;

/* Reads a file and what its [study] include names; one whose name ends with .json is in a format
 * that a reader of plugins knows (search/reader.h; NULL: there are no plugins). What a file sets
 * itself wins over what it includes; of several included files the later wins. CLOPT_INVALID:
 * `study.ini:12: ...`; the caller ends it in any case. */
enum clopt_status clopt_ini_read(const char *path, const struct clopt_registry *registry,
                                 struct clopt_ini *ini, struct clopt_error *error);
void clopt_ini_fini(struct clopt_ini *ini);

/* Sets what "section.key=value" says; "lud.size=512" means "app lud.size=512" where only one
 * section's name ends so. */
enum clopt_status clopt_ini_override(struct clopt_ini *ini, const char *text, bool weak,
                                     struct clopt_error *error);

/* Sets what another format says, as a line of an INI would; `origin` is where it says so. */
enum clopt_status clopt_ini_put(struct clopt_ini *ini, const char *section, const char *key,
                                const char *value, const char *origin, struct clopt_error *error);

/* Find a section or a setting; NULL where there is none. */
struct clopt_ini_section *clopt_ini_section(const struct clopt_ini *ini, const char *name);
const struct clopt_ini_setting *clopt_ini_setting(const struct clopt_ini_section *section,
                                                  const char *key);

/* ---- what the files that read and change INIs have in common ---- */

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

/* Says why a value could not be read again from an INI file; NULL: it could. */
const char *clopt_ini_check_value(const char *value);

/* Whether a text can be a line that continues a value: it looks like no comment and no section, nor
 * like a key that was indented by mistake. */
bool clopt_ini_may_continue(const char *text);
