#pragma once

// libcurl for Swift, which can't call variadic C functions: each argument type has its own
// function. The module is empty on Apple's platforms, which use URLSession instead.

#ifdef __linux__
#if !__has_include(<curl/curl.h>)
#error "libcurl's headers are missing: apt-get install libcurl4-openssl-dev (Debian, Ubuntu), dnf install libcurl-devel (Fedora), apk add curl-dev (Alpine), pacman -S curl (Arch)"
#else

#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

/// The type of a pre-request callback, which libcurl declares only from 7.80 on.
typedef int (*wharf_curl_prereq_callback)(void *context, char *remote_ip, char *local_ip, int remote_port, int local_port);

/// Initialises libcurl once for all modules of Wharf. Before libcurl 7.84 `curl_global_init` must
/// not run on two threads.
///
/// Returns 0 if that failed.
int wharf_curl_is_ready(void);

CURLcode wharf_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode wharf_curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode wharf_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode wharf_curl_set_pointer(CURL *easy, CURLoption option, void *value);
/// Sets the callbacks that move bytes: READFUNCTION, WRITEFUNCTION, HEADERFUNCTION.
CURLcode wharf_curl_set_transfer(CURL *easy, CURLoption option, curl_write_callback value);
/// Sets the timeout for a server's reply, in seconds.
///
/// The option is a macro in some versions of libcurl, which Swift does not import.
CURLcode wharf_curl_set_response_timeout(CURL *easy, long seconds);
CURLcode wharf_curl_set_debug(CURL *easy, curl_debug_callback value);
/// Sets the callback that runs before a request is sent. Returns `CURLE_UNKNOWN_OPTION` before
/// libcurl 7.80.
CURLcode wharf_curl_set_prereq(CURL *easy, wharf_curl_prereq_callback value, void *context);
/// Lets the cleanup of a handle return without waiting for its name lookup, which runs on a thread.
/// Does nothing before libcurl 7.87.
void wharf_curl_set_quick_exit(CURL *easy);
CURLMcode wharf_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Returns the value, or 0 if libcurl has none.
long wharf_curl_get_long(CURL *easy, CURLINFO info);
/// Returns the socket of a connection that `CURLOPT_CONNECT_ONLY` has set up, or `CURL_SOCKET_BAD`.
curl_socket_t wharf_curl_get_socket(CURL *easy);
CURLcode wharf_curl_message_result(const CURLMsg *message);

/// Runs `body` on a detached thread that handles no signals of the process.
///
/// OpenSSL writes to sockets without MSG_NOSIGNAL, and `CURLOPT_NOSIGNAL` prevents libcurl from
/// ignoring SIGPIPE. Without the signal mask, a peer that closes its connection would end the
/// process.
///
/// Returns 0, or the system's error number.
int wharf_start_thread(void (*body)(void *context), void *context);

#endif
#endif
