// What Glibc's Swift module leaves out of <wchar.h>.
#pragma once

#include <stdint.h>

// The columns that a code point takes on a terminal, by the C library's tables for UTF-8, whatever the locale of the
// process; -1 for control characters and for what the tables do not hold. Any thread may call it.
int terminal_columns(uint32_t scalar);
