#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "CCurl.h"

#ifdef __linux__
#if __has_include(<curl/curl.h>)

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static pthread_once_t setup_once = PTHREAD_ONCE_INIT;
static CURLcode setup_result = CURLE_FAILED_INIT;

static void set_up(void) { setup_result = curl_global_init(CURL_GLOBAL_DEFAULT); }

int wharf_curl_is_ready(void) {
    return pthread_once(&setup_once, set_up) == 0 && setup_result == CURLE_OK;
}

CURLcode wharf_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode wharf_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode wharf_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode wharf_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode wharf_curl_set_transfer(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode wharf_curl_set_response_timeout(CURL *easy, long seconds) {
    // The option is a macro before libcurl 7.85, and an enumerator since then. Swift imports only
    // the enumerator.
    return curl_easy_setopt(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, seconds);
}

CURLcode wharf_curl_set_debug(CURL *easy, curl_debug_callback value) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

CURLcode wharf_curl_set_prereq(CURL *easy, wharf_curl_prereq_callback value, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
    CURLcode result = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
    return result != CURLE_OK ? result : curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
#else
    (void)easy, (void)value, (void)context;
    return CURLE_UNKNOWN_OPTION;
#endif
}

void wharf_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
#endif
}

CURLMcode wharf_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

long wharf_curl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

curl_socket_t wharf_curl_get_socket(CURL *easy) {
    curl_socket_t value = CURL_SOCKET_BAD;
    return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &value) == CURLE_OK ? value : CURL_SOCKET_BAD;
}

CURLcode wharf_curl_message_result(const CURLMsg *message) { return message->data.result; }

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    start.body(start.context);
    return NULL;
}

int wharf_start_thread(void (*body)(void *context), void *context) {
    struct start *start = malloc(sizeof *start);
    if (start == NULL) return ENOMEM;
    start->body = body;
    start->context = context;
    // A new thread inherits this mask. Signals of the thread's own faults stay unblocked, so that
    // crash reporters see them.
    sigset_t all, before;
    sigfillset(&all);
    const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    for (size_t index = 0; index < sizeof faults / sizeof *faults; index++) sigdelset(&all, faults[index]);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failure != 0) {
        free(start);
    } else {
        pthread_detach(thread);
    }
    return failure;
}

#endif
#endif
