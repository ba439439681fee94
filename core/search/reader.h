/* SPDX-License-Identifier: BSD-3-Clause */
/* What reads documents and tables of others: the operations of extensions of kind READER. */
#pragma once

#include "plugin/registry.h"

struct clopt_ini;

/* What became of a variant. */
struct clopt_recorded {
    double time_ms; /* NaN: it failed */
    double cost_s;  /* of compiling, verifying and measuring it, as far as it is recorded */
};

/* A variant as a document has it. */
struct clopt_recording_entry {
    const json_t *configuration; /* an object; it may have members besides the parameters */
    struct clopt_recorded result;
};

/* The variants of a document, of which each has been measured: a recorded space. */
struct clopt_recording_entries {
    struct clopt_recording_entry *items;
    size_t count;
    json_t *keys;  /* names of the parameters */
    json_t *owned; /* configurations that are not the document's; NULL: none */
};

/* The functions that read may be NULL. */
struct clopt_reader {
    bool (*knows)(const json_t *document);
    const char *form; /* what it reads, and how it is known: "a T4 document (array \"results\")" */
    /* Reads the variants; the caller ends them in any case. CLOPT_INVALID says what is missing. */
    enum clopt_status (*space)(const json_t *document, struct clopt_recording_entries *entries,
                               struct clopt_error *error);
    /* Translates it to the sections of a study (clopt_ini_put() in study/ini.h), and refuses by its
     * name what a study cannot say. The origin of each setting is "path: way within it"; `folder`
     * is put in front of the files that it names: "" or "some/folder/". */
    enum clopt_status (*study)(const json_t *document, const char *path, const char *folder,
                               struct clopt_ini *ini, struct clopt_error *error);
};

/* Finds who reads a document, as a study or as a space; CLOPT_INVALID names what can be read. */
enum clopt_status clopt_reader_find(const struct clopt_registry *registry, const json_t *document,
                                    bool study, const struct clopt_reader **reader,
                                    struct clopt_error *error);
