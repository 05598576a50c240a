#define _GNU_SOURCE
#include "CLibcurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef void (*selected_protocol)(const void *tls, const unsigned char **name, unsigned *length);

int curl_negotiated_protocol(CURL *easy, char *name, unsigned room) {
  struct curl_tlssessioninfo *tls = NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK || !tls || !tls->internals) return -1;
  if (tls->backend != CURLSSLBACKEND_OPENSSL) return -1;
  // libcurl has loaded the library; the headers of the library are in another package.
  selected_protocol selected = (selected_protocol)dlsym(RTLD_DEFAULT, "SSL_get0_alpn_selected");
  if (!selected) return -1;
  const unsigned char *found = NULL;
  unsigned length = 0;
  selected(tls->internals, &found, &length);
  if (length >= room) return -1;
  if (length) memcpy(name, found, length);
  name[length] = 0;
  return (int)length;
}

typedef int (*set_protocols)(void *context, const unsigned char *names, unsigned length);

static set_protocols protocol_setter(void) { return (set_protocols)dlsym(RTLD_DEFAULT, "SSL_CTX_set_alpn_protos"); }

int curl_can_offer_streams(void) {
  static const char *const libraries[] = {"OpenSSL", "LibreSSL", "BoringSSL", "AWS-LC", "quictls"};
  const char *used = curl_version_info(CURLVERSION_FIRST)->ssl_version;
  if (!used || !protocol_setter()) return 0;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
    if (!strncmp(used, libraries[i], strlen(libraries[i]))) return 1;
  return 0;
}

static CURLcode offer_streams(CURL *easy, void *context, void *user) {
  (void)easy, (void)user;
  static const unsigned char names[] = "\x02h2\x08http/1.1";
  set_protocols set = protocol_setter();
  return set && set(context, names, sizeof names - 1) == 0 ? CURLE_OK : CURLE_SSL_CONNECT_ERROR;
}

void curl_offer_streams(CURL *easy) {
  curl_easy_setopt(easy, CURLOPT_SSL_ENABLE_ALPN, 0L);
  curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, offer_streams);
}

void *curl_tls(CURL *easy) {
  struct curl_tlssessioninfo *tls = NULL;
  if (!curl_can_offer_streams()) return NULL;
  if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK || !tls) return NULL;
  return tls->backend == CURLSSLBACKEND_OPENSSL ? tls->internals : NULL;
}

// The functions of OpenSSL that carry bytes, found as above.
static struct {
  int (*read)(void *tls, void *bytes, int count);
  int (*write)(void *tls, const void *bytes, int count);
  int (*get_error)(const void *tls, int result);
  int (*has_pending)(const void *tls);
  void (*set_read_ahead)(void *tls, int yes);
  long (*control)(void *tls, int command, long number, void *value);
  void (*set_bio)(void *tls, void *in, void *out);
  void *(*new_socket)(int socket, int closes);
  void (*clear_errors)(void);
  unsigned long (*first_error)(void);
  void (*error_text)(unsigned long code, char *text, size_t room);
} openssl;
static int has_openssl = 0;
static pthread_once_t searched = PTHREAD_ONCE_INIT;

static void find_openssl(void) {
  struct { void **function; const char *name; } const wanted[] = {
      {(void **)&openssl.read, "SSL_read"}, {(void **)&openssl.write, "SSL_write"},
      {(void **)&openssl.get_error, "SSL_get_error"}, {(void **)&openssl.has_pending, "SSL_has_pending"},
      {(void **)&openssl.set_read_ahead, "SSL_set_read_ahead"}, {(void **)&openssl.control, "SSL_ctrl"},
      {(void **)&openssl.set_bio, "SSL_set_bio"}, {(void **)&openssl.new_socket, "BIO_new_socket"},
      {(void **)&openssl.clear_errors, "ERR_clear_error"}, {(void **)&openssl.first_error, "ERR_get_error"},
      {(void **)&openssl.error_text, "ERR_error_string_n"}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!(*wanted[i].function = dlsym(RTLD_DEFAULT, wanted[i].name))) return;
  has_openssl = 1;
}

int curl_take_tls(void *tls, curl_socket_t socket) {
  // SSL_CTRL_MODE: SSL_MODE_ENABLE_PARTIAL_WRITE and SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
  static const int mode_command = 33, modes = 1 | 2;
  pthread_once(&searched, find_openssl);
  void *bio = has_openssl ? openssl.new_socket(socket, 0) : NULL;
  if (!bio) return 0;
  openssl.set_bio(tls, bio, bio);
  openssl.control(tls, mode_command, modes, NULL);
  openssl.set_read_ahead(tls, 1);
  return 1;
}

// The result of a call that carried no byte, as documented in the header; the text has the form of libcurl's.
static int tls_result(void *tls, int result, const char *what, char *text, size_t room) {
  int code = errno, error = openssl.get_error(tls, result);
  // SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE
  if (error == 2 || error == 3) return -1;
  // SSL_ERROR_ZERO_RETURN
  if (error == 6) return 0;
  unsigned long first = openssl.first_error();
  if (!first && result == 0) return 0;
  char reason[256];
  if (first)
    openssl.error_text(first, reason, sizeof reason);
  else
    snprintf(reason, sizeof reason, "%s", code ? strerror(code) : "unknown error");
  snprintf(text, room, "OpenSSL %s: %s, errno %d", what, reason, code);
  return -2;
}

int curl_tls_read(void *tls, void *bytes, int count, char *text, size_t room) {
  openssl.clear_errors();
  errno = 0;
  int result = openssl.read(tls, bytes, count);
  return result > 0 ? result : tls_result(tls, result, "SSL_read", text, room);
}

int curl_tls_write(void *tls, const void *bytes, int count, char *text, size_t room) {
  openssl.clear_errors();
  errno = 0;
  int result = openssl.write(tls, bytes, count);
  return result > 0 ? result : tls_result(tls, result, "SSL_write", text, room);
}

int curl_tls_has_pending(const void *tls) { return openssl.has_pending(tls); }
