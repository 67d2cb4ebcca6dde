#include "CLifecycleAtomics.h"
