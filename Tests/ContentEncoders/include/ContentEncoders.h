#pragma once

#include <stddef.h>
#include <stdint.h>

// Encoders for tests of the decoders. brotli's and zstd's are those of the system, by dlopen.

typedef enum content_encoder {
    CONTENT_ENCODER_GZIP,
    /// zlib's wrapping (RFC 1950).
    CONTENT_ENCODER_ZLIB,
    /// Without it (RFC 1951).
    CONTENT_ENCODER_RAW_DEFLATE,
    CONTENT_ENCODER_BROTLI,
    CONTENT_ENCODER_ZSTD,
} content_encoder;

/// Returns how many bytes were written, or 0 where there is no such encoder or no room.
size_t content_encode(content_encoder encoder, const uint8_t *input, size_t count, uint8_t *output, size_t capacity);
