// zlib for Swift: one function that decodes gzip and deflate.
#pragma once

#include <stddef.h>
#include <zlib.h>

// Decodes `count` bytes into `to`, which has `*room` bytes; `*room` becomes the number of bytes written.
// Returns Z_OK, Z_BUF_ERROR if the room did not suffice, or Z_DATA_ERROR for other data.
int zlib_decode(const void *from, size_t count, void *to, size_t *room, int raw);
