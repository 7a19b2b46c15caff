#include "CContentCoding.h"

#if __has_include(<zlib.h>)

#include <zlib.h>

/// The most bytes of one input: zlib's counters have 32 bits.
static const size_t longest_input = 1 << 30;
/// Adding 16 selects gzip's wrapping (RFC 1952) in place of zlib's.
enum { GZIP_WINDOW_BITS = 16 + MAX_WBITS, DEFAULT_MEMORY_LEVEL = 8 };

static bool start_gzip(z_stream *zlib) {
    *zlib = (z_stream){0};
    return deflateInit2(
               zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW_BITS, DEFAULT_MEMORY_LEVEL, Z_DEFAULT_STRATEGY)
        == Z_OK;
}

size_t wharf_gzip_bound(size_t count) {
    z_stream zlib;
    if (count > longest_input || !start_gzip(&zlib)) return 0;
    size_t bound = deflateBound(&zlib, (uLong)count);
    deflateEnd(&zlib);
    return bound;
}

size_t wharf_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    z_stream zlib;
    if (count > longest_input || !start_gzip(&zlib)) return 0;
    zlib.next_in = (Bytef *)input;
    zlib.avail_in = (uInt)count;
    zlib.next_out = output;
    zlib.avail_out = (uInt)(capacity < UINT32_MAX ? capacity : UINT32_MAX);
    int result = deflate(&zlib, Z_FINISH);
    size_t written = zlib.total_out;
    deflateEnd(&zlib);
    return result == Z_STREAM_END ? written : 0;
}

#endif
