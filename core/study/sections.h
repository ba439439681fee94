/* SPDX-License-Identifier: BSD-3-Clause */
/* The sections of a study that name devices, apps and optimizations. */
#ifndef CLOPT_STUDY_SECTIONS_H
#define CLOPT_STUDY_SECTIONS_H

#include "space/study.h"
#include "study/ini.h"

/* Each reads one section into the study; apps come before optimizations, whose knobs are theirs. */
enum clopt_status clopt_study_read_device(struct clopt_study *study,
                                          const struct clopt_ini_section *section,
                                          const char *label, const struct clopt_registry *registry,
                                          struct clopt_error *error);
enum clopt_status clopt_study_read_app(struct clopt_study *study, const struct clopt_ini *ini,
                                       const struct clopt_ini_section *section,
                                       const struct clopt_registry *registry,
                                       struct clopt_error *error);
enum clopt_status clopt_study_read_optimization(struct clopt_study *study,
                                                const struct clopt_ini_section *section,
                                                const char *name,
                                                const struct clopt_registry *registry,
                                                struct clopt_error *error);

/* Reads [parameter NAME], before the apps, whose problems depend on the initial values. */
enum clopt_status clopt_study_read_parameter(struct clopt_study *study,
                                             const struct clopt_ini_section *section,
                                             const char *name,
                                             const struct clopt_registry *registry,
                                             struct clopt_error *error);

/* Reads the constraints, after the apps, and which apps and kernels the parameters are for. */
enum clopt_status clopt_study_read_constraints(struct clopt_study *study,
                                               const struct clopt_ini *ini,
                                               struct clopt_error *error);

enum clopt_status clopt_study_read_published(struct clopt_study *study,
                                             const struct clopt_ini_section *section,
                                             const char *label,
                                             const struct clopt_registry *registry,
                                             struct clopt_error *error);

/* Reads a native program, after the apps. */
enum clopt_status clopt_study_read_rival(struct clopt_study *study,
                                         const struct clopt_ini_section *section, const char *label,
                                         const struct clopt_registry *registry,
                                         struct clopt_error *error);

/* Reads which products of the optimizations, which have been read, are made. */
enum clopt_status clopt_study_read_products(struct clopt_study *study, const struct clopt_ini *ini,
                                            struct clopt_error *error);

/* Gives a study without [device LABEL] one that matches every device. */
enum clopt_status clopt_study_default_device(struct clopt_study *study, struct clopt_error *error);

/* Writes the effective configuration as an INI; NULL when memory runs out. */
char *clopt_study_print(const struct clopt_study *study, const struct clopt_ini *ini);

/* Keeps the devices that [study] names, where it names any; without sections for devices the names
 * are parts of their names, or of their platforms'. */
enum clopt_status clopt_study_choose_devices(struct clopt_study *study, const struct clopt_ini *ini,
                                             struct clopt_error *error);

/* Completes [search], where the study has it, after all other sections. */
enum clopt_status clopt_study_finish_search(struct clopt_study *study, const struct clopt_ini *ini,
                                            struct clopt_error *error);

#endif
