// zlib for Swift: one call that undoes gzip and deflate.
#pragma once

#include <stddef.h>
#include <zlib.h>

// Decodes `count` bytes into `to`, which has `*room` bytes; `*room` becomes what was written.
// Returns Z_OK, Z_BUF_ERROR when the room did not suffice, or Z_DATA_ERROR for what is no such stream.
int zlib_decode(const void *from, size_t count, void *to, size_t *room, int raw);
