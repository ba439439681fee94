/* SPDX-License-Identifier: BSD-3-Clause */
/* The members of a device: which of them measures what, and what becomes of it when one is lost. */
#include "base/text.h"
#include "contest/finals.h"

size_t clopt_contest_first_member(const struct clopt_contest *contest)
{
    size_t member = 0;
    while (member + 1 < contest->members && contest->lost[member])
        member++;
    return member;
}

void clopt_contest_lose_members(struct clopt_contest *contest)
{
    const struct clopt_run *run = contest->run;
    const char *label = run->study->devices[contest->where.device].label;
    for (size_t m = 0; m < contest->members; m++) {
        const struct clopt_pool_device *device = &run->devices[contest->devices[m]];
        if (contest->lost[m] || !device->is_member || device->failures < CLOPT_MOST_OPEN_FAILURES)
            continue;
        contest->lost[m] = true;
        contest->left--;
        clopt_finals_end_sweep(contest, m);
        clopt_text_print(run->notices,
                         "clopt: [device %s]: member %zu could not be opened %d times in a row: "
                         "the study goes on without it; try `clopt devices`\n",
                         label, m, CLOPT_MOST_OPEN_FAILURES);
        for (size_t i = 0; i < contest->count; i++)
            if (contest->contenders[i]->member == m + 1)
                contest->contenders[i]->member = 0;
    }
    if (!contest->left)
        clopt_fail(run->failure, CLOPT_DEVICE_LOST,
                   "[device %s]: workers could not open any of its %zu members; try "
                   "`clopt devices`",
                   label, contest->members);
}

/* Counts the variants that want samples, those of one member or all (SIZE_MAX). */
static size_t count_variants(const struct clopt_contest *contest, size_t member)
{
    size_t count = 0;
    for (size_t i = 0; i < contest->count; i++) {
        const struct clopt_contender *contender = contest->contenders[i];
        count += !contender->role && clopt_contender_wants_samples(contender) &&
                 (member == SIZE_MAX || contender->member == member + 1);
    }
    return count;
}

bool clopt_contest_is_for(const struct clopt_contest *contest,
                          const struct clopt_contender *contender, size_t member)
{
    if (contender->role == CLOPT_ROLE_RIVAL) /* it runs on no member */
        return member == clopt_contest_first_member(contest);
    if (clopt_contender_races(contender))
        return contest->racing >> member & 1;
    if (contest->left == 1 || contender->role || contender->member == member + 1)
        return true;
    return !contender->member &&
           count_variants(contest, member) * contest->left < count_variants(contest, SIZE_MAX);
}

bool clopt_contest_wants_samples(const struct clopt_contest *contest, size_t member)
{
    for (size_t i = 0; i < contest->count; i++)
        if (clopt_contender_wants_samples(contest->contenders[i]) &&
            clopt_contest_is_for(contest, contest->contenders[i], member))
            return true;
    return false;
}
