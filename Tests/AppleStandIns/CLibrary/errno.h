#pragma once

extern int *__error(void);
#define errno (*__error())

#define EINTR 4
#define ERANGE 34
#define ENOTSUP 45
