/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads T1 tuning files, the JSON format in which auto-tuners exchange problems (version 1.0.0). */
#pragma once

#include "study/ini.h"

/* Translates a T1 file to the sections of a study: [app kernel], [arguments], [results], [parameter
 * NAME], [constraints], [device T1] and so on. The origin of each setting is "file: path within
 * it". What a study cannot say is refused with its name. `folder` is put in front of the files that
 * it names: "" or "some/folder/", from the study's own folder. */
enum clopt_status clopt_t1_read(FILE *stream, const char *path, const char *folder,
                                struct clopt_ini *ini, struct clopt_error *error);
