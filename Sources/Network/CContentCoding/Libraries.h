#pragma once

#include <stddef.h>
#include <stdint.h>

// The functions of libbrotlidec and libzstd that are called. The prototypes are declared here, so
// that the build needs no headers of these libraries. They are stable within a major version, which
// the file names in Libraries.c contain.

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

/// Returns the library's functions; NULL if this system does not have it.
const struct wharf_brotli *wharf_brotli(void);
const struct wharf_zstd *wharf_zstd(void);
