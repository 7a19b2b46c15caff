#include "ContentEncoders.h"

#include <dlfcn.h>
#include <zlib.h>

static size_t zlib_encode(int window_bits, const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    z_stream zlib = {0};
    if (deflateInit2(&zlib, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    zlib.next_in = (Bytef *)input;
    zlib.avail_in = (uInt)count;
    zlib.next_out = output;
    zlib.avail_out = (uInt)capacity;
    int result = deflate(&zlib, Z_FINISH);
    size_t written = zlib.total_out;
    deflateEnd(&zlib);
    return result == Z_STREAM_END ? written : 0;
}

static void *symbol(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    return handle == NULL ? NULL : dlsym(handle, name);
}

static size_t brotli_encode(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    int (*compress)(int, int, int, size_t, const uint8_t *, size_t *, uint8_t *);
    *(void **)&compress = symbol("libbrotlienc.so.1", "BrotliEncoderCompress");
    if (compress == NULL) return 0;
    return compress(5, 22, 0, count, input, &capacity, output) ? capacity : 0;
}

static size_t zstd_encode(const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    size_t (*compress)(void *, size_t, const void *, size_t, int);
    *(void **)&compress = symbol("libzstd.so.1", "ZSTD_compress");
    if (compress == NULL) return 0;
    size_t written = compress(output, capacity, input, count, 3);
    // Errors are negative numbers.
    return written <= capacity ? written : 0;
}

size_t content_encode(content_encoder encoder, const uint8_t *input, size_t count, uint8_t *output, size_t capacity) {
    switch (encoder) {
    case CONTENT_ENCODER_GZIP: return zlib_encode(16 + MAX_WBITS, input, count, output, capacity);
    case CONTENT_ENCODER_ZLIB: return zlib_encode(MAX_WBITS, input, count, output, capacity);
    case CONTENT_ENCODER_RAW_DEFLATE: return zlib_encode(-MAX_WBITS, input, count, output, capacity);
    case CONTENT_ENCODER_BROTLI: return brotli_encode(input, count, output, capacity);
    case CONTENT_ENCODER_ZSTD: return zstd_encode(input, count, output, capacity);
    }
    return 0;
}
