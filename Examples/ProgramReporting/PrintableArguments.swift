import ArgumentParser

extension AsyncParsableCommand {
  /// Runs the command with the arguments of the process.
  ///
  /// If the arguments are wrong, the error message escapes them as ``OutsideText`` does.
  package static func runOnArguments() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
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
