#if canImport(Darwin)
  import class Foundation.Bundle
#endif

/// The version and the build number of the main bundle, `1.4 208`; nil if it has none, as on other
/// platforms than Apple's.
package var bundleVersion: String? {
  #if canImport(Darwin)
    let keys = ["CFBundleShortVersionString", "CFBundleVersion"]
    let parts = keys.compactMap { Bundle.main.infoDictionary?[$0] as? String }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  #else
    return nil
  #endif
}
