// libcurl for Swift: its setters and getters are variadic C functions, which Swift cannot call. Each argument
// type has a wrapper here. Nothing else is renamed.
#pragma once

#include <curl/curl.h>

static inline CURLcode curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_large(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

typedef size_t (*curl_data_function)(char *bytes, size_t size, size_t count, void *user);
static inline CURLcode curl_set_data_function(CURL *easy, CURLoption option, curl_data_function function) {
  return curl_easy_setopt(easy, option, function);
}
static inline CURLcode curl_set_open_function(CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}
static inline CURLcode curl_set_prerequest_function(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}
static inline CURLcode curl_set_close_function(CURL *easy, curl_closesocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, function);
}

static inline CURLcode curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode curl_get_large(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
// The socket of the last exchange, or CURL_SOCKET_BAD if it is closed.
static inline CURLcode curl_get_socket(CURL *easy, curl_socket_t *value) {
  return curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, value);
}
static inline CURLcode curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

// Writes the protocol that the server picked in the TLS handshake (ALPN, RFC 7301) to `name`, which has `room` bytes.
// Returns its length, 0 if the server picked none, or -1 if libcurl's TLS library does not report it. Call it from the
// prerequest function.
int curl_negotiated_protocol(CURL *easy, char *name, unsigned room);
// Returns 1 if libcurl uses a TLS library with which `curl_offer_streams` works.
int curl_can_offer_streams(void);
// Offers HTTP/2 and HTTP/1.1 in the TLS handshake without libcurl's knowledge: with `CURLOPT_CONNECT_ONLY`, libcurl then
// passes the bytes of HTTP/2 on as they are. Otherwise it would send its own preface of HTTP/2.
void curl_offer_streams(CURL *easy);

// The TLS connection of `easy`, or NULL if libcurl uses another library than OpenSSL. Call it from the prerequest function.
void *curl_tls(CURL *easy);
// Lets the functions below carry the bytes of a TLS connection over its socket, without libcurl, which still closes it.
// Returns 0 if that is not possible.
int curl_take_tls(void *tls, curl_socket_t socket);
// Return the number of bytes; 0 at the end of the stream; -1 if the socket is not ready; -2 for an error with a text.
int curl_tls_read(void *tls, void *bytes, int count, char *text, size_t room);
int curl_tls_write(void *tls, const void *bytes, int count, char *text, size_t room);
// Returns 1 if bytes were received that no read has returned.
int curl_tls_has_pending(const void *tls);

static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode curl_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode curl_multi_set_socket_function(CURLM *multi, curl_socket_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
static inline CURLMcode curl_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

// A cookie jar that several easy handles of one user share.
static inline CURLSH *curl_cookie_jar(void) {
  CURLSH *jar = curl_share_init();
  if (jar) curl_share_setopt(jar, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
  return jar;
}
