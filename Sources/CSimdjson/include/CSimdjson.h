#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A simdjson DOM parser with its document. Belongs to one thread.
typedef struct csimdjson_parser csimdjson_parser;

/// The last parsed document: the tape words (simdjson doc/tape.md) and the string buffer they point into.
typedef struct {
  const uint64_t *words;
  const uint8_t *strings;
} csimdjson_tape;

/// Returns NULL if memory is short.
csimdjson_parser *csimdjson_create(size_t max_size, size_t max_depth);
void csimdjson_destroy(csimdjson_parser *parser);

/// Parses `size` bytes. Returns 0 or a simdjson error code. The tape is valid until the next call.
int csimdjson_parse(csimdjson_parser *parser, const uint8_t *bytes, size_t size, csimdjson_tape *tape);

/// The offset in the source text of the number whose type word is `tape_index`, or SIZE_MAX.
/// The first call after a parse costs one pass over the document's tokens, later calls cost a binary search.
size_t csimdjson_number_offset(csimdjson_parser *parser, size_t tape_index);

#ifdef __cplusplus
}
#endif
#endif
