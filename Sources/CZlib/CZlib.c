#include "CZlib.h"

#include <string.h>

int zlib_decode(const void *from, size_t count, void *to, size_t *room, int raw) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  // 47: a zlib or gzip wrapper, detected automatically; -15: none.
  if (inflateInit2(&stream, raw ? -15 : 47) != Z_OK) return Z_MEM_ERROR;
  stream.next_in = (Bytef *)from;
  stream.avail_in = (uInt)count;
  stream.next_out = to;
  stream.avail_out = (uInt)*room;
  int code = inflate(&stream, Z_FINISH);
  *room -= stream.avail_out;
  int full = stream.avail_out == 0;
  inflateEnd(&stream);
  return code == Z_STREAM_END ? Z_OK : full ? Z_BUF_ERROR : Z_DATA_ERROR;
}
