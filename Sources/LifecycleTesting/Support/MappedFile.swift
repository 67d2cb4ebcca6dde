#if os(Linux)
  import Foundation

  /// A file of which a part is in the memory of this process.
  struct MappedFile: Equatable {
    let path: String
    /// The place in the file that is at the address.
    let offset: UInt64

    /// Finds the file that is at an address; nil if there is none.
    ///
    /// - Parameter maps: The text of `/proc/self/maps`.
    ///   https://man7.org/linux/man-pages/man5/proc_pid_maps.5.html
    init?(at address: UInt64, in maps: String) {
      for line in maps.utf8.split(separator: UInt8(ascii: "\n")) {
        let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5).compactMap(String.init)
        guard fields.count == 6 else { continue }
        let bounds = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        guard bounds.count == 2, bounds[0] <= address, address < bounds[1],
          let start = UInt64(fields[2], radix: 16)
        else { continue }
        let (offset, isTooLarge) = start.addingReportingOverflow(address - bounds[0])
        guard !isTooLarge else { return nil }
        path = String(fields[5].drop { $0 == " " })
        self.offset = offset
        return
      }
      return nil
    }
  }

  extension MappedFile {
    /// Returns the names of the symbols whose code begins at an address of this process, including
    /// those that are not exported. A stripped file has none.
    static func symbolNames(at address: UInt64) -> [String] {
      guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8),
        let file = Self(at: address, in: maps),
        let data = try? Data(contentsOf: URL(filePath: file.path), options: .mappedIfSafe)
      else { return [] }
      return data.withUnsafeBytes { ElfFile($0)?.symbolNames(atOffset: file.offset) ?? [] }
    }
  }
#endif
