// SPDX-License-Identifier: BSD-3-Clause
// local 16x4 global 64x8
// Guards on the identity, by which work-items take the same way or not: in one version all
// together, in the other one after the other.
uint twice(uint a)
{
    return get_local_id(0) + 2u * a;
}

kernel void k(global const int *in, global int *out, int n)
{
    size_t x = get_global_id(0), y = get_global_id(1);
    int at = (int)(y * 64 + x);
    int limit = n - 16384 + 21;
    uint l = get_local_id(0);
    uint moved = get_local_id(0);
    int sum = 1, last = 3, i, j = 5;
    int many[4] = {1, 2, 3, 4};

    moved += 3u;
    if (x < 37) {
        int seen = in[at];
        int i = 2;
        for (; i < 6; i++)
            seen += in[i] * i;
        sum += seen;
    }
    if (l < 8u) {
        for (i = 0; i < 5; i++)
            sum += in[at + i];
        last = 7;
    } else {
        for (i = 2; i < 4; i++) {
            sum -= in[at + i];
            many[i] += sum;
        }
        last++;
    }
    if ((int)x <= limit && y != 3) {
        for (i = (int)l; i < 20; i += 7)
            sum ^= i * last;
        for (i = 0; i < 9; i++) {
            if (in[at] % 5 == i)
                break;
            sum += i;
        }
    } else {
        while (j > 0)
            sum += j-- * 3;
    }
    if (11u <= moved) {
        sum += (int)twice(moved);
        for (i = 0; i < 3; i++)
            many[i & 3] += sum;
    } else {
        last *= 5;
        sum -= last;
        j += last;
        many[1] = j;
    }
    if (!(l > 12u || x > 50)) {
        last += 2;
        if (l > 3u) {
            sum += last;
            if (x > 5) {
                for (i = 0; i < 4; i++)
                    many[i] ^= i + sum;
            }
        }
    }
    if ((uchar)(x * 16) < 64) {
        for (i = 0; i < 3; i++)
            last += i;
    }
    if (j++ < 6 || x - 3 < 9) {
        for (i = 0; i < 3; i++)
            last ^= sum + i;
    }
    if (l / 8 == 1 || l >> 3 == 1) {
        int *place = &many[2];
        for (i = 0; i < 2; i++)
            *place += in[at] + i;
    }
    if (x >= 5 && in[at] > 300)
        atomic_add(&out[4096 + at], sum);
    out[at] = sum ^ last * 3 ^ j * 5 ^ many[0] ^ many[1] * 7 ^ many[2] * 11 ^ many[3] * 13;
}
