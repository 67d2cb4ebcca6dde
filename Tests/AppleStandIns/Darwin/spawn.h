// What the headers of C targets use of Darwin's spawn.h.
typedef void *posix_spawn_file_actions_t;
