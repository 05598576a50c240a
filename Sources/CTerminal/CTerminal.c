#define _GNU_SOURCE
#include "CTerminal.h"

#include <locale.h>
#include <pthread.h>
#include <wchar.h>

static locale_t utf8;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void) { utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0); }

int terminal_columns(uint32_t scalar) {
  pthread_once(&once, make);
  // A C library without that locale uses the locale of the process.
  locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
  int columns = wcwidth((wchar_t)scalar);
  if (before) uselocale(before);
  return columns;
}
