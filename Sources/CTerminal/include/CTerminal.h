// The functions of <wchar.h> that Glibc's Swift module lacks.
#pragma once

#include <stdint.h>

// The number of columns of a code point on a terminal, by the C library's tables for UTF-8, independent of the locale
// of the process. -1 for control characters and for code points that are not in the tables. Any thread may call it.
int terminal_columns(uint32_t scalar);
