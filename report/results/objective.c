/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the objective of a study, and the units of its values. */
#include "results/objective.h"

enum clopt_objective clopt_objective_of(const char *config)
{
    static const char key[] = "\nobjective = ";
    const char *found = config ? strstr(config, key) : NULL;
    const char *name = found ? found + strlen(key) : "";
    CLOPT_FREED char *word = clopt_strndup(name, strcspn(name, " \t\r\n"));
    enum clopt_objective objective = CLOPT_OBJECTIVE_TIME;
    clopt_objective_find(word, &objective);
    return objective;
}

struct clopt_unit clopt_unit_choose(enum clopt_objective objective, double value)
{
    static const struct clopt_unit units[CLOPT_OBJECTIVES][4] = {
        {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}},
        {{"J", 1e9}, {"mJ", 1e6}, {"uJ", 1e3}, {"nJ", 1}},
        {{"J s", 1e9}, {"mJ s", 1e6}, {"uJ s", 1e3}, {"nJ s", 1}},
    };
    size_t i = 0;
    while (i < 3 && value < units[objective][i].nanounits)
        i++;
    return units[objective][i];
}
