import Foundation
import Subprocess

/// The program that draws the plots.
struct Gnuplot {
  private let executable: Executable

  /// gnuplot, if it is installed.
  static func find() async -> Gnuplot? {
    let executable = Executable.name("gnuplot")
    guard (try? await executable.resolveExecutablePath(in: .inherit)) != nil else { return nil }
    return Gnuplot(executable: executable)
  }

  /// Runs a script of the folder there.
  func draw(_ script: String, in folder: URL) async throws(CompareError) {
    let status: TerminationStatus
    do {
      status = try await run(
        executable,
        arguments: [script],
        workingDirectory: .init(folder.path),
        output: .discarded,
        error: .currentStandardError
      ).terminationStatus
    } catch {
      throw .gnuplotFailed(script, reason: "\(error)")
    }
    guard status.isSuccess else { throw .gnuplotFailed(script, reason: "\(status)") }
  }
}
