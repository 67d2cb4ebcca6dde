#if Services
  import Logging
  import Metrics
  import ServiceLifecycle
#endif
