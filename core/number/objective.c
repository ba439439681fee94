/* SPDX-License-Identifier: BSD-3-Clause */
/* The objectives of studies. */
#include "number/objective.h"

#include <string.h>

static const struct clopt_objective_words words[CLOPT_OBJECTIVES] = {
    [CLOPT_OBJECTIVE_TIME] = {"time", "execution time", "ns", "as fast", "faster", "slower",
                              "Speed-up"},
    [CLOPT_OBJECTIVE_ENERGY] = {"energy", "energy", "nJ", "as efficient", "more efficient",
                                "less efficient", "Efficiency gain"},
    [CLOPT_OBJECTIVE_ENERGY_DELAY] = {"energy-delay", "energy-delay product", "nJ s",
                                      "as efficient", "more efficient", "less efficient",
                                      "Efficiency gain"},
};

const struct clopt_objective_words *clopt_objective_words(enum clopt_objective objective)
{
    return &words[objective];
}

bool clopt_objective_find(const char *name, enum clopt_objective *objective)
{
    for (unsigned i = 0; name && i < CLOPT_OBJECTIVES; i++)
        if (strcmp(words[i].name, name) == 0) {
            *objective = i;
            return true;
        }
    return false;
}

enum clopt_objective clopt_objective_of(const char *config)
{
    static const char key[] = "\nobjective = ";
    const char *found = config ? strstr(config, key) : NULL;
    const char *name = found ? found + strlen(key) : "";
    size_t length = strcspn(name, " \t\r\n");
    for (unsigned i = 0; i < CLOPT_OBJECTIVES; i++)
        if (strlen(words[i].name) == length && strncmp(words[i].name, name, length) == 0)
            return i;
    return CLOPT_OBJECTIVE_TIME;
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
