#if os(Linux)
  import Foundation
#endif

/// The name of the property that a key path ends with.
struct PropertyName: Equatable {
  let text: String

  /// Nil if there is no name, as of a subscript, or if it is not available.
  init?(_ keyPath: AnyKeyPath) {
    let description = String(describing: keyPath)
    if let name = description.split(separator: ".").last,
      name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
    {
      text = String(name)
      return
    }
    #if os(Linux)
      // There the runtime knows the getters of computed properties only if they are exported. A
      // compiler with several threads per module puts code without a symbol before them: then the
      // name is nowhere.
      guard let address = Self.getterAddress(inDescription: description) else { return nil }
      let getters = MappedFile.symbolNames(at: address).compactMap(demangled)
      let names = Set(getters.compactMap(Self.init(demangledGetter:)).map(\.text))
      // A linker can merge getters with the same code.
      guard names.count == 1, let name = names.first else { return nil }
      text = name
    #else
      return nil
    #endif
  }
}

#if os(Linux)
  extension PropertyName {
    /// Returns the address at the end of `\Model.<computed 0x000055a78ea13930 (Int)>`.
    static func getterAddress(inDescription description: String) -> UInt64? {
      description.wholeMatch(of: /.*<computed 0x([0-9a-f]{1,16}) \(.*\)>/)
        .flatMap { UInt64($0.1, radix: 16) }
    }

    /// The name in `key path getter for App.Model.count : Swift.Int : App.Model`.
    init?(demangledGetter symbol: String) {
      // The expressions below are compiled for each symbol.
      guard symbol.hasPrefix("key path getter for ") else { return nil }
      // What is private is (name in _6E).
      let symbol = symbol.replacing(/\(([\w$]+) in \w+\)/) { $0.1 }
      let getter =
        /key path getter for (?:extension:)?(?:(?:[\w$]+|`[^`]+`)\.)*([\w$]+) : .*/
      guard let match = symbol.wholeMatch(of: getter) else { return nil }
      text = String(match.1)
    }
  }

  private func demangled(_ symbol: String) -> String? {
    guard let text = runtimeDemangle(symbol, symbol.utf8.count, nil, nil, 0) else { return nil }
    defer { free(text) }
    return String(validatingCString: text)
  }

  // https://github.com/swiftlang/swift/blob/main/include/swift/Demangling/Demangle.h
  @_silgen_name("swift_demangle") private func runtimeDemangle(
    _ name: UnsafePointer<CChar>?,
    _ length: Int,
    _ buffer: UnsafeMutablePointer<CChar>?,
    _ bufferSize: UnsafeMutablePointer<Int>?,
    _ flags: UInt32
  ) -> UnsafeMutablePointer<CChar>?
#endif
