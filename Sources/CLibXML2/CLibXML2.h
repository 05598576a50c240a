// Swift does not import libxml2: its headers include those of ICU, which Foundation also includes.
#pragma once
