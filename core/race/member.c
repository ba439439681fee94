/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a device: which of them measures what, and what becomes of it when one is lost. */
#include "race/finals.h"

size_t clopt_race_first_member(const struct clopt_race *race)
{
    size_t member = 0;
    while (member + 1 < race->members && race->lost[member])
        member++;
    return member;
}

/* Takes note that a member is lost, or back. */
static void set_lost(struct clopt_race *race, size_t member, bool lost)
{
    race->lost[member] = lost;
    race->left += lost ? (size_t)-1 : 1;
    if (!lost)
        return;
    clopt_finals_end_measurement(race, member);
    for (size_t i = 0; i < race->count; i++)
        if (race->candidates[i]->member == member + 1)
            race->candidates[i]->member = 0;
}

void clopt_race_lose_members(struct clopt_race *race)
{
    const struct clopt_run *run = race->run;
    const char *label = run->study->devices[race->where.device].label;
    bool expected = false;
    for (size_t m = 0; m < race->members; m++) {
        const struct clopt_pool_device *device = &run->devices[race->devices[m]];
        bool away = clopt_pool_is_away(device);
        bool gone = device->is_member && device->failures >= CLOPT_MOST_OPEN_FAILURES;
        bool refused = device->host && device->host->state == CLOPT_HOST_REFUSED;
        expected |= away;
        if (gone && !race->lost[m])
            clopt_text_print(run->notices,
                             "clopt: [device %s]: member %zu could not be opened %d times in a "
                             "row: the study goes on without it; try `clopt devices`\n",
                             label, m, CLOPT_MOST_OPEN_FAILURES);
        if (race->lost[m] != (away || gone || refused))
            set_lost(race, m, !race->lost[m]);
    }
    if (!race->left && !expected)
        clopt_fail(run->failure, CLOPT_DEVICE_LOST,
                   "[device %s]: workers could not open any of its %zu members; try "
                   "`clopt devices`",
                   label, race->members);
}

void clopt_race_share(struct clopt_race *race)
{
    memset(race->shares, 0, race->members * sizeof *race->shares);
    memset(&race->wanting, 0, sizeof race->wanting);
    race->led = false;
    for (size_t i = 0; i < race->count; i++) {
        const struct clopt_candidate *candidate = race->candidates[i];
        /* a worker was killed from outside at it, as where memory is short, and it goes on */
        race->wanting.alone |= candidate->losses.kills && candidate->phase != CLOPT_PHASE_OVER;
        if (!clopt_candidate_wants_samples(candidate))
            continue;
        if (candidate->role == CLOPT_ROLE_RIVAL)
            race->wanting.rival = true;
        else if (candidate->finals)
            race->wanting.finalist = true;
        else if (candidate->role) /* it is measured beside variants while a search has some */
            race->wanting.fixed |= !race->tuning || !race->on_cpu || clopt_race_is_exhausted(race);
        else if (candidate->member)
            race->shares[candidate->member - 1]++;
        else
            race->wanting.free++;
        race->wanting.variants += clopt_candidate_is_in_hand(candidate);
    }
}

void clopt_race_assign(struct clopt_race *race, struct clopt_candidate *candidate, size_t member)
{
    if (!candidate->member && !candidate->role && race->wanting.free) {
        race->wanting.free--;
        race->shares[member]++;
    }
    candidate->member = member + 1;
}

/* Whether a member has fewer variants than others. */
static bool has_room(const struct clopt_race *race, size_t member)
{
    return race->shares[member] * race->left < race->wanting.variants;
}

bool clopt_race_is_for(const struct clopt_race *race, const struct clopt_candidate *candidate,
                       size_t member)
{
    if (candidate->role == CLOPT_ROLE_RIVAL) /* it runs on no member */
        return member == clopt_race_first_member(race);
    if (clopt_candidate_is_finalist(candidate))
        return race->in_finals[member];
    if (race->left == 1 || candidate->role || candidate->member == member + 1)
        return true;
    return !candidate->member && has_room(race, member);
}

bool clopt_race_wants_samples(const struct clopt_race *race, size_t member)
{
    bool variants = race->left == 1
                        ? race->wanting.variants
                        : race->shares[member] || (race->wanting.free && has_room(race, member));
    return variants || race->wanting.fixed ||
           (race->wanting.rival && member == clopt_race_first_member(race)) ||
           (race->wanting.finalist && race->in_finals[member]);
}
