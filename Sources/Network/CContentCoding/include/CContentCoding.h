#pragma once

// The content codings of HTTP as one streaming decoder. It uses zlib for gzip and deflate. It loads
// brotli and zstd by dlopen, so that the build needs neither.

#if !__has_include(<zlib.h>)
#error "zlib's header is missing: apt-get install zlib1g-dev (Debian, Ubuntu), dnf install zlib-devel (Fedora), apk add zlib-dev (Alpine), pacman -S zlib (Arch)"
#else

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wharf_coding {
    WHARF_CODING_GZIP,
    WHARF_CODING_DEFLATE,
    WHARF_CODING_BROTLI,
    WHARF_CODING_ZSTD,
} wharf_coding;

typedef enum wharf_decoder_status {
    WHARF_DECODER_OK,
    /// The bytes break the coding's rules, or continue after its end.
    WHARF_DECODER_BROKEN,
    WHARF_DECODER_OUT_OF_MEMORY,
} wharf_decoder_status;

typedef struct wharf_decoder wharf_decoder;

/// Whether this system has the library for the coding.
bool wharf_coding_is_available(wharf_coding coding);

/// Returns a decoder; NULL without memory or without a library for the coding.
wharf_decoder *wharf_decoder_create(wharf_coding coding);
void wharf_decoder_destroy(wharf_decoder *decoder);

/// Decodes until the input is used up or the output is full. A full output may mean that more
/// output is ready without input.
wharf_decoder_status wharf_decoder_step(
    wharf_decoder *decoder, const uint8_t *input, size_t input_count, size_t *consumed, uint8_t *output, size_t capacity,
    size_t *produced);

/// Whether the body may end here: the coding's end was decoded, and no byte followed it.
bool wharf_decoder_is_at_end(const wharf_decoder *decoder);

/// Returns the maximum size of the gzip encoding of `count` bytes; 0 without memory, or for more
/// than 1 GiB.
size_t wharf_gzip_bound(size_t count);

/// Encodes all of the input with gzip. Equal inputs have equal outputs: the header holds no time.
///
/// Returns the number of written bytes; 0 without memory, or if the output was full.
size_t wharf_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t capacity);

#endif
