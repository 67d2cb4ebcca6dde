#pragma once

#include <c_types.h>

typedef void *posix_spawnattr_t;
typedef void *posix_spawn_file_actions_t;

#define POSIX_SPAWN_SETSID 0x0400
