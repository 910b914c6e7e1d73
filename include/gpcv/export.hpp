/// What the shared library shows to its users: declarations with GPCV_EXPORT. Everything else is hidden.
#pragma once

#define GPCV_EXPORT __attribute__((visibility("default")))
