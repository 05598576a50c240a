#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>

// SHA-256 (FIPS 180-4) through OpenSSL. Writes 32 bytes.
//
// Returns 1, or 0 if OpenSSL lacks memory or this digest.
int ccrypto_sha256(const void *bytes, size_t count, unsigned char *digest);

// HMAC-SHA-256 (RFC 2104) through OpenSSL. Writes 32 bytes.
//
// Returns 1, or 0 if OpenSSL lacks memory or this digest.
int ccrypto_hmac_sha256(
    const void *key, size_t key_count, const void *bytes, size_t count, unsigned char *code);

#endif
