import Foundation

/// The folder that the report is written to.
struct ReportFolder {
  private let url: URL

  /// Makes the folder if there is none.
  init(_ url: URL) throws(CompareError) {
    self.url = url
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw .notWritable(url.path, reason: error.localizedDescription)
    }
  }

  /// Writes a file, over an earlier one.
  func write(_ text: String, to name: String) throws(CompareError) {
    let file = url.appending(path: name)
    do {
      try Data(text.utf8).write(to: file)
    } catch {
      throw .notWritable(file.path, reason: error.localizedDescription)
    }
  }
}
