#include "CCrypto.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

int ccrypto_sha256(const void *bytes, size_t count, unsigned char *digest) {
  return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL);
}

int ccrypto_hmac_sha256(
    const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code) {
  return HMAC(EVP_sha256(), key, (int)key_count, bytes, count, code, NULL) != NULL;
}
