// nghttp2 for Swift: the frames of HTTP/2 and their compression of headers. Nothing is renamed.
#pragma once


#include <nghttp2/nghttp2.h>

// The start of every frame, which a union contains.
static inline nghttp2_frame_hd nghttp2_head(const nghttp2_frame *frame) { return frame->hd; }

// Where a callback for the content of a request finds its request.
static inline nghttp2_data_provider nghttp2_content(void *request, nghttp2_data_source_read_callback read) {
  nghttp2_data_provider content = {.source = {.ptr = request}, .read_callback = read};
  return content;
}
