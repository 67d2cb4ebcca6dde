// The names of the C library, without declaring any of them anew.
#pragma clang module import SwiftGlibc
