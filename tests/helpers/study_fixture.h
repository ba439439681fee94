/* SPDX-License-Identifier: BSD-3-Clause */
/* Studies in files of a folder of their own, which the tests of a program share. */
#pragma once

#include "folder_fixture.h"
#include "study/reader.h"

/* Why the study that was read last is none. */
extern struct clopt_error read_error;

/* Reads s.ini with overrides (NULL: none); gives the study, or NULL and the message. */
struct clopt_study *read_file(const char *first, const char *second);

/* Writes s.ini and reads it, which must work. */
struct clopt_study *read_text(const char *ini);

/* Does so, which must be refused with a message. */
void refuse(const char *ini, const char *message);
void refuse_override(const char *ini, const char *override, const char *message);

/* Lists "kernel variant" of a group, one a line, for the caller to free. */
char *list_group(const struct clopt_study *study, size_t group);
