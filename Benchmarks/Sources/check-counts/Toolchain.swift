import Subprocess

#if canImport(Glibc)
  import Glibc
#endif

/// What instruction counts depend on.
func presentToolchain(valgrind: String) async throws -> [String: String] {
  let lines = try await versionText(of: "swift", hint: "Put swift on the PATH.").split(
    separator: "\n"
  )
  guard let compiler = lines.first, let target = lines.dropFirst().first else {
    throw Failure("swift --version printed no version.", .internalError)
  }
  return [
    "compiler": String(compiler),
    "library": cLibrary,
    "target": String(target.trimmingPrefix("Target: ")),
    "valgrind": valgrind,
  ]
}

/// What a tool prints of its version.
func versionText(of tool: String, hint: String) async throws -> String {
  do {
    let result = try await Subprocess.run(
      .name(tool),
      arguments: ["--version"],
      output: .string(limit: 4_096)
    )
    return result.standardOutput
  } catch let error as SubprocessError where error.code == .executableNotFound {
    throw Failure("\(tool) is missing. \(hint)", .missingTool)
  }
}

private var cLibrary: String {
  #if canImport(Glibc)
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let length = confstr(Int32(_CS_GNU_LIBC_VERSION), buffer.baseAddress, buffer.count)
      return length == 0 ? "unknown" : String(cString: buffer.baseAddress!)
    }
  #else
    "unknown"
  #endif
}
