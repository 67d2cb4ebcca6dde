#pragma once

typedef struct __sFILE FILE;
extern FILE *__stdoutp;
#define stdout __stdoutp

int fflush(FILE *);
