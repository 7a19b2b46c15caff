#pragma once

#include <stddef.h>
#include <stdint.h>

// What is called of libbrotlidec and libzstd. Their headers are not needed to build, so the prototypes stand here; both
// libraries keep them stable within the major version that is part of the file names in Libraries.c.

struct wharf_brotli {
    void *(*create)(void *allocate, void *free, void *context);
    int (*decompress)(
        void *state, size_t *available_in, const uint8_t **next_in, size_t *available_out, uint8_t **next_out,
        size_t *total_out);
    void (*destroy)(void *state);
};

struct wharf_zstd_in {
    const void *bytes;
    size_t count;
    size_t position;
};

struct wharf_zstd_out {
    void *bytes;
    size_t count;
    size_t position;
};

struct wharf_zstd {
    void *(*create)(void);
    size_t (*decompress)(void *context, struct wharf_zstd_out *output, struct wharf_zstd_in *input);
    size_t (*destroy)(void *context);
    unsigned (*is_error)(size_t code);
    size_t (*set_parameter)(void *context, int parameter, int value);
};

/// NULL where this system does not have the library.
const struct wharf_brotli *wharf_brotli(void);
const struct wharf_zstd *wharf_zstd(void);
