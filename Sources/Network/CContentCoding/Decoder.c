#include "CContentCoding.h"

#if __has_include(<zlib.h>)

#include "Libraries.h"

#include <stdlib.h>
#include <zlib.h>

struct wharf_decoder {
    wharf_coding coding;
    bool is_at_end;
    /// The state of gzip and deflate.
    z_stream zlib;
    bool has_zlib;
    /// The first two bytes of deflate, which show whether it has zlib's wrapping (RFC 1950).
    uint8_t start[2];
    int start_count;
    /// The state of brotli and zstd.
    void *state;
};

/// The largest window of zstd: 8 MB, the limit of RFC 9659. A larger one needs more memory than a
/// client has to give.
enum { ZSTD_WINDOW_LOG_MAX_PARAMETER = 100, ZSTD_WINDOW_LOG_MAX = 23 };
enum { BROTLI_ERROR = 0, BROTLI_SUCCESS = 1 };
/// The most bytes of one step: zlib's counters have 32 bits.
static const size_t longest_step = 1 << 30;

bool wharf_coding_is_available(wharf_coding coding) {
    switch (coding) {
    case WHARF_CODING_BROTLI: return wharf_brotli() != NULL;
    case WHARF_CODING_ZSTD: return wharf_zstd() != NULL;
    default: return true;
    }
}

static bool start_zlib(wharf_decoder *decoder, int window_bits) {
    decoder->has_zlib = inflateInit2(&decoder->zlib, window_bits) == Z_OK;
    return decoder->has_zlib;
}

static bool start(wharf_decoder *decoder) {
    switch (decoder->coding) {
    case WHARF_CODING_GZIP: return start_zlib(decoder, 16 + MAX_WBITS);
    case WHARF_CODING_DEFLATE: return true;
    case WHARF_CODING_BROTLI:
        if (wharf_brotli() == NULL) return false;
        decoder->state = wharf_brotli()->create(NULL, NULL, NULL);
        return decoder->state != NULL;
    case WHARF_CODING_ZSTD:
        if (wharf_zstd() == NULL) return false;
        decoder->state = wharf_zstd()->create();
        if (decoder->state == NULL) return false;
        wharf_zstd()->set_parameter(decoder->state, ZSTD_WINDOW_LOG_MAX_PARAMETER, ZSTD_WINDOW_LOG_MAX);
        return true;
    }
    return false;
}

wharf_decoder *wharf_decoder_create(wharf_coding coding) {
    wharf_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) return NULL;
    decoder->coding = coding;
    if (start(decoder)) return decoder;
    wharf_decoder_destroy(decoder);
    return NULL;
}

void wharf_decoder_destroy(wharf_decoder *decoder) {
    if (decoder->has_zlib) inflateEnd(&decoder->zlib);
    if (decoder->state != NULL && decoder->coding == WHARF_CODING_BROTLI) wharf_brotli()->destroy(decoder->state);
    if (decoder->state != NULL && decoder->coding == WHARF_CODING_ZSTD) wharf_zstd()->destroy(decoder->state);
    free(decoder);
}

static wharf_decoder_status inflate_step(
    wharf_decoder *decoder, const uint8_t *input, size_t input_count, size_t *consumed, uint8_t *output, size_t capacity,
    size_t *produced) {
    z_stream *zlib = &decoder->zlib;
    zlib->next_in = (Bytef *)input;
    zlib->avail_in = (uInt)(input_count < longest_step ? input_count : longest_step);
    zlib->next_out = output;
    zlib->avail_out = (uInt)(capacity < longest_step ? capacity : longest_step);
    int result = inflate(zlib, Z_NO_FLUSH);
    *consumed = (size_t)(zlib->next_in - input);
    *produced = (size_t)(zlib->next_out - output);
    switch (result) {
    case Z_STREAM_END: decoder->is_at_end = true; return WHARF_DECODER_OK;
    // No progress was possible without more input or output space, which is no error.
    case Z_OK:
    case Z_BUF_ERROR: return WHARF_DECODER_OK;
    case Z_MEM_ERROR: return WHARF_DECODER_OUT_OF_MEMORY;
    default: return WHARF_DECODER_BROKEN;
    }
}

/// Checks the header of RFC 1950 §2.2: method 8, a window of at most 32 KB, and a checksum of both
/// bytes.
static bool is_zlib_header(const uint8_t bytes[2]) {
    return (bytes[0] & 0x0f) == 8 && bytes[0] >> 4 <= 7 && (bytes[0] * 256 + bytes[1]) % 31 == 0;
}

/// Detects whether deflate has zlib's wrapping. Many servers send it without, against RFC 9110
/// §8.4.1.2, and browsers accept both.
static wharf_decoder_status start_deflate(
    wharf_decoder *decoder, const uint8_t *input, size_t input_count, size_t *consumed, uint8_t *output, size_t capacity,
    size_t *produced) {
    while (decoder->start_count < 2 && *consumed < input_count) {
        decoder->start[decoder->start_count++] = input[(*consumed)++];
    }
    if (decoder->start_count < 2) return WHARF_DECODER_OK;
    if (!start_zlib(decoder, is_zlib_header(decoder->start) ? MAX_WBITS : -MAX_WBITS)) {
        return WHARF_DECODER_OUT_OF_MEMORY;
    }
    size_t taken = 0;
    wharf_decoder_status status = inflate_step(decoder, decoder->start, 2, &taken, output, capacity, produced);
    return status == WHARF_DECODER_OK && taken < 2 ? WHARF_DECODER_BROKEN : status;
}

static wharf_decoder_status brotli_step(
    wharf_decoder *decoder, const uint8_t *input, size_t input_count, size_t *consumed, uint8_t *output, size_t capacity,
    size_t *produced) {
    size_t left_in = input_count, left_out = capacity;
    int result = wharf_brotli()->decompress(decoder->state, &left_in, &input, &left_out, &output, NULL);
    *consumed = input_count - left_in;
    *produced = capacity - left_out;
    decoder->is_at_end = result == BROTLI_SUCCESS;
    return result == BROTLI_ERROR ? WHARF_DECODER_BROKEN : WHARF_DECODER_OK;
}

static wharf_decoder_status zstd_step(
    wharf_decoder *decoder, const uint8_t *input, size_t input_count, size_t *consumed, uint8_t *output, size_t capacity,
    size_t *produced) {
    struct wharf_zstd_in from = {input, input_count, 0};
    struct wharf_zstd_out to = {output, capacity, 0};
    size_t result = wharf_zstd()->decompress(decoder->state, &to, &from);
    *consumed = from.position;
    *produced = to.position;
    decoder->is_at_end = result == 0;
    return wharf_zstd()->is_error(result) ? WHARF_DECODER_BROKEN : WHARF_DECODER_OK;
}

wharf_decoder_status wharf_decoder_step(
    wharf_decoder *decoder, const uint8_t *input, size_t input_count, size_t *consumed, uint8_t *output, size_t capacity,
    size_t *produced) {
    *consumed = 0;
    *produced = 0;
    if (decoder->is_at_end) {
        if (input_count == 0) return WHARF_DECODER_OK;
        switch (decoder->coding) {
        // RFC 1952 §2.2: gzip members may follow one another.
        case WHARF_CODING_GZIP:
            if (inflateReset(&decoder->zlib) != Z_OK) return WHARF_DECODER_BROKEN;
            decoder->is_at_end = false;
            break;
        // RFC 8878 §3.1: so may zstd frames, and zstd starts the next one by itself.
        case WHARF_CODING_ZSTD: break;
        default: return WHARF_DECODER_BROKEN;
        }
    }
    switch (decoder->coding) {
    case WHARF_CODING_DEFLATE:
        if (!decoder->has_zlib) {
            return start_deflate(decoder, input, input_count, consumed, output, capacity, produced);
        }
        return inflate_step(decoder, input, input_count, consumed, output, capacity, produced);
    case WHARF_CODING_GZIP:
        return inflate_step(decoder, input, input_count, consumed, output, capacity, produced);
    case WHARF_CODING_BROTLI:
        return brotli_step(decoder, input, input_count, consumed, output, capacity, produced);
    case WHARF_CODING_ZSTD:
        return zstd_step(decoder, input, input_count, consumed, output, capacity, produced);
    }
    return WHARF_DECODER_BROKEN;
}

bool wharf_decoder_is_at_end(const wharf_decoder *decoder) { return decoder->is_at_end; }

#endif
