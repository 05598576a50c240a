// Nothing of libxml2 is seen from Swift: its headers include those of ICU, which Foundation brings too.
#pragma once
