#include "CIDN2.h"
