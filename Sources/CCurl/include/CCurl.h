#pragma once

// libcurl for Swift, which can't call functions with variable arguments: each type of argument has a function here.
// Apple's platforms have URLSession instead, so this is empty there.

#ifdef __linux__
#if !__has_include(<curl/curl.h>)
#error "libcurl's headers are missing: apt-get install libcurl4-openssl-dev (Debian, Ubuntu), dnf install libcurl-devel (Fedora), apk add curl-dev (Alpine), pacman -S curl (Arch)"
#else

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/// Of a pre-request callback; libcurl declares it from 7.80 on.
typedef int (*wharf_curl_prereq_callback)(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port);

/// Sets libcurl up, once for all modules of Wharf. Before libcurl 7.84 `curl_global_init` may not run on two threads.
///
/// Returns 0 where that failed.
int wharf_curl_is_ready(void);

CURLcode wharf_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode wharf_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode wharf_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode wharf_curl_set_pointer(CURL *easy, CURLoption option, void *value);
/// For the options whose callback moves bytes: READFUNCTION, WRITEFUNCTION, HEADERFUNCTION.
CURLcode wharf_curl_set_transfer(CURL *easy, CURLoption option, curl_write_callback value);
/// For the callback that may end a transfer, and its context.
CURLcode wharf_curl_set_progress(CURL *easy, curl_xferinfo_callback value, void *context);
/// Sets the seconds that a server has for its reply.
///
/// The option is a macro in some versions, which Swift does not import.
CURLcode wharf_curl_set_response_timeout(CURL *easy, long seconds);
/// Sends a message to the other recipients when the server refuses one.
///
/// libcurl 8.2 renamed the option. Returns `CURLE_UNKNOWN_OPTION` before libcurl 7.69.
CURLcode wharf_curl_allow_refused_recipients(CURL *easy);
CURLcode wharf_curl_set_debug(CURL *easy, curl_debug_callback value);
/// `CURLE_UNKNOWN_OPTION` before libcurl 7.80.
CURLcode wharf_curl_set_prereq(CURL *easy, wharf_curl_prereq_callback value, void *context);
/// Lets a handle go without waiting for its thread that resolves a name. Does nothing before libcurl 7.87.
void wharf_curl_set_quick_exit(CURL *easy);
CURLMcode wharf_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// The value, or 0 where libcurl has none.
long wharf_curl_get_long(CURL *easy, CURLINFO info);
CURLcode wharf_curl_message_result(const CURLMsg *message);

/// Runs `body` on a detached thread that handles no signals of the process.
///
/// OpenSSL writes to sockets without MSG_NOSIGNAL, and `CURLOPT_NOSIGNAL` keeps libcurl from ignoring SIGPIPE itself.
/// Without the mask a peer that closes its connection would end the process.
///
/// Returns 0, or the number of the system's error.
int wharf_start_thread(void (*body)(void *context), void *context);

#endif
#endif
