import ArgumentParser

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension CommandLine {
  /// The arguments as bytes, which need not be UTF-8.
  package static var rawArguments: [[UInt8]] {
    UnsafeBufferPointer(start: unsafeArgv, count: Int(argc)).compactMap { argument in
      argument.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
  }
}

extension AsyncParsableCommand {
  /// Runs the command with the arguments of the process.
  ///
  /// If the arguments are wrong, the error message escapes them as ``OutsideText`` does. One that
  /// is not UTF-8 is wrong: the path of a file would become that of another one.
  package static func runOnArguments() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.map({ Array($0.utf8) }) == Array(CommandLine.rawArguments.dropFirst()) else {
      exit(withError: ValidationError("An argument is not text in UTF-8."))
    }
    let printable = arguments.map { OutsideText.line($0) }
    if arguments != printable, (try? parseAsRoot(arguments)) == nil {
      do {
        _ = try parseAsRoot(printable)
      } catch {
        exit(withError: error)
      }
      exit(withError: ValidationError("An argument contains characters that cannot be printed."))
    }
    await main(arguments)
  }
}
