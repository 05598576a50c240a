#include "CSimdjson.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <simdjson.h>
#include <vector>

using namespace simdjson;

struct csimdjson_parser {
  dom::parser parser;
  size_t max_depth;
  std::vector<uint8_t> padded;
  const uint8_t *source = nullptr;
  // Numbers in document order: position on the tape, offset in the source. Filled on demand.
  std::vector<uint32_t> number_positions;
  std::vector<uint32_t> number_offsets;
  bool numbers_indexed = false;
  // The last requested number: the next request is often for its neighbour.
  size_t last_number = 0;

  csimdjson_parser(size_t max_size, size_t depth) : parser(max_size), max_depth(depth) {}
};

// Pages are at least this large on every platform that simdjson supports.
static const size_t page_size = 4096;

// simdjson reads up to SIMDJSON_PADDING bytes past the end: harmless inside the page that holds the last byte.
static bool padding_is_mapped(const uint8_t *bytes, size_t size) {
  return (reinterpret_cast<uintptr_t>(bytes + size - 1) % page_size) + SIMDJSON_PADDING < page_size;
}

static void index_numbers(csimdjson_parser *p) {
  p->numbers_indexed = true;
  p->last_number = 0;
  p->number_positions.clear();
  p->number_offsets.clear();
  const auto &implementation = *p->parser.implementation;
  for (uint32_t i = 0; i < implementation.n_structural_indexes; i++) {
    uint32_t offset = implementation.structural_indexes[i];
    uint8_t c = p->source[offset];
    if (c == '-' || (c >= '0' && c <= '9')) p->number_offsets.push_back(offset);
  }
  const uint64_t *words = p->parser.doc.tape.get();
  size_t end = words[0] & 0x00ffffffffffffffULL;
  for (size_t i = 1; i < end; i++) {
    char type = char(words[i] >> 56);
    if (type == 'l' || type == 'u' || type == 'd') {
      p->number_positions.push_back(uint32_t(i));
      i++;
    }
  }
}

extern "C" csimdjson_parser *csimdjson_create(size_t max_size, size_t max_depth) {
  return new (std::nothrow) csimdjson_parser(max_size, max_depth);
}

extern "C" void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

extern "C" int csimdjson_parse(csimdjson_parser *p, const uint8_t *bytes, size_t size, csimdjson_tape *tape) {
  p->numbers_indexed = false;
  if (size == 0) return EMPTY;
  if (size > p->parser.max_capacity()) return CAPACITY;
  if (p->parser.capacity() < size || p->parser.max_depth() != p->max_depth) {
    // Extra capacity, so that bodies that grow byte by byte do not allocate each time.
    size_t capacity = std::min(p->parser.max_capacity(), std::max<size_t>(size + size / 2, 16384));
    auto error = p->parser.allocate(capacity, p->max_depth);
    if (!error) error = p->parser.doc.allocate(capacity);
    if (error) return error;
  }
  const uint8_t *source = bytes;
  if (!padding_is_mapped(bytes, size)) {
    try {
      if (p->padded.size() < size + SIMDJSON_PADDING) p->padded.resize(size + size / 2 + SIMDJSON_PADDING);
    } catch (const std::bad_alloc &) {
      return MEMALLOC;
    }
    std::memcpy(p->padded.data(), bytes, size);
    source = p->padded.data();
  }
  p->source = source;
  auto error = p->parser.parse(source, size, false).error();
  tape->words = p->parser.doc.tape.get();
  tape->strings = p->parser.doc.string_buf.get();
  return error;
}

extern "C" size_t csimdjson_number_offset(csimdjson_parser *p, size_t tape_index) {
  if (!p->numbers_indexed) index_numbers(p);
  if (p->number_positions.size() != p->number_offsets.size()) return SIZE_MAX;
  for (size_t i = p->last_number; i < std::min(p->last_number + 4, p->number_positions.size()); i++) {
    if (p->number_positions[i] == tape_index) {
      p->last_number = i;
      return p->number_offsets[i];
    }
  }
  auto found = std::lower_bound(p->number_positions.begin(), p->number_positions.end(), tape_index);
  if (found == p->number_positions.end() || *found != tape_index) return SIZE_MAX;
  p->last_number = size_t(found - p->number_positions.begin());
  return p->number_offsets[p->last_number];
}
