// The wrappers are inline; this file makes the module a C target.
#include "CLibcurl.h"
