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
