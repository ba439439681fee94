/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether a run left the same in its buffers as another one, be it of another process. */
#ifndef CLOPT_WORKER_DIGEST_H
#define CLOPT_WORKER_DIGEST_H

#include "base/sha256.h"
#include "worker/buffers.h"

/* Hashes all that a run has computed: buffers and images of CLOPT_OUTPUT and CLOPT_IN_OUT. Large
 * buffers are summed up on the device, in an order that depends on its type: digests of one device
 * can be compared. The guards must be intact. */
enum clopt_status clopt_buffers_digest(const struct clopt_buffers *buffers,
                                       char digest[CLOPT_HASH_SIZE]);

/* Whether a buffer is worth it to be summed up on the device, and can be. */
bool clopt_buffer_is_large(const struct clopt_buffers *buffers,
                           const struct clopt_device_buffer *buffer);

/* Hashes a large buffer with its guards. */
enum clopt_status clopt_buffer_digest(const struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *buffer,
                                      char digest[CLOPT_HASH_SIZE]);

#endif
