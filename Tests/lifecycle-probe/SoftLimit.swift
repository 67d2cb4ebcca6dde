import Foundation

/// Sets the limit of a resource that is in force, up to the highest that the process may have.
func setSoftLimit(_ resource: __rlimit_resource, to limit: rlim_t) {
  let resource = __rlimit_resource_t(resource.rawValue)
  var limits = rlimit()
  getrlimit(resource, &limits)
  limits.rlim_cur = min(limit, limits.rlim_max)
  setrlimit(resource, &limits)
}
