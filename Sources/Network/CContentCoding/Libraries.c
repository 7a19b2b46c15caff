#include "Libraries.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

static struct wharf_brotli brotli;
static struct wharf_zstd zstd;
static bool has_brotli, has_zstd;

#ifdef __linux__
static bool find(void *library, const char *name, void *target) {
    void *symbol = dlsym(library, name);
    if (symbol == NULL) return false;
    *(void **)target = symbol;
    return true;
}
#endif

/// Loads the libraries for the rest of the process. Unloading one would leave dangling function
/// pointers.
static void load(void) {
#ifdef __linux__
    void *library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    has_brotli = library != NULL && find(library, "BrotliDecoderCreateInstance", &brotli.create)
        && find(library, "BrotliDecoderDecompressStream", &brotli.decompress)
        && find(library, "BrotliDecoderDestroyInstance", &brotli.destroy);
    library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    has_zstd = library != NULL && find(library, "ZSTD_createDCtx", &zstd.create)
        && find(library, "ZSTD_decompressStream", &zstd.decompress) && find(library, "ZSTD_freeDCtx", &zstd.destroy)
        && find(library, "ZSTD_isError", &zstd.is_error)
        && find(library, "ZSTD_DCtx_setParameter", &zstd.set_parameter);
#endif
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

const struct wharf_brotli *wharf_brotli(void) {
    pthread_once(&once, load);
    return has_brotli ? &brotli : NULL;
}

const struct wharf_zstd *wharf_zstd(void) {
    pthread_once(&once, load);
    return has_zstd ? &zstd : NULL;
}
