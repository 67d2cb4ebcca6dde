#pragma once

int grantpt(int);
int posix_openpt(int);
char *ptsname(int);
int unlockpt(int);
