#pragma once

#include <stddef.h>
#include <stdint.h>

// Encoders for tests of the decoders. The encoders of brotli and zstd are the system's, by dlopen.

typedef enum content_encoder {
    CONTENT_ENCODER_GZIP,
    /// zlib's wrapping (RFC 1950).
    CONTENT_ENCODER_ZLIB,
    /// Raw deflate, without a wrapper (RFC 1951).
    CONTENT_ENCODER_RAW_DEFLATE,
    CONTENT_ENCODER_BROTLI,
    CONTENT_ENCODER_ZSTD,
} content_encoder;

/// Returns the number of bytes written, or 0 if there is no such encoder or not enough room.
size_t content_encode(content_encoder encoder, const uint8_t *input, size_t count, uint8_t *output, size_t capacity);
