#define _GNU_SOURCE
#include "CLibcurl.h"

#include <dlfcn.h>
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
