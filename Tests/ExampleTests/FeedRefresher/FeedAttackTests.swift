import CustomDump
import Foundation
import Testing

@testable import FeedRefresher

/// Documents that Foundation's parser on Linux does not survive, or that are large.
@Suite("Hostile feeds")
struct FeedAttackTests {
  private func problem(_ data: Data) -> String? {
    do throws(FeedProblem) {
      _ = try Feed(data)
      return nil
    } catch {
      return error.description
    }
  }

  private func problem(_ text: String) -> String? { problem(Data(text.utf8)) }

  private func feed(titled title: String) -> String {
    "<rss><channel><item><title>\(title)</title></item></channel></rss>"
  }

  @Test("Documents that fuzzing has found are refused with a reason")
  func documentsThatFuzzingHasFoundAreRefusedWithReason() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Fixtures")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let problems = try files.map { problem(try Data(contentsOf: folder.appending(path: $0))) }
    expectNoDifference(
      problems,
      [
        "malformed feed: its document type contains declarations",
        "malformed feed: line 1: invalid UTF-8",
        "malformed feed: line 1: invalid UTF-8",
      ]
    )
  }

  @Test("A processing instruction without data is legal, wherever it stands")
  func processingInstructionWithoutDataIsLegal() throws {
    let text =
      "<?a?><!--<?b?>--><rss><?c?><channel><?d ?><item><title><?e?>One<?f g?></title>"
      + "</item><?é?></channel></rss><?h?>"
    expectNoDifference(try Feed(Data(text.utf8)).entries, [Feed.Entry(id: "One", title: "One")])
    let quoted = try Feed(Data(feed(titled: "<![CDATA[a<?php b?>?>]]>").utf8))
    expectNoDifference(quoted.entries.map(\.title), ["a<?php b?>?>"])
    #expect(problem("<rss><??></rss>") != nil)
    #expect(problem("<rss><?c") != nil)
    expectNoDifference(problem("<?c"), "malformed feed: line 1: the document does not end properly")
  }

  @Test(
    "Bytes that are no UTF-8 are refused, wherever they stand",
    arguments: [
      "<!--*--><rss/>", "<?*?><rss/>", "<rss><?a* b?></rss>", "<rss*/>", "<rss a*='b'/>",
      "<rss xmlns:a*='b'/>", "<rss xmlns:a='*'/>", "<rss><!--*--></rss>", "<rss>*</rss>",
      "<rss><![CDATA[*]]></rss>", "<rss>&*;</rss>", "<rss></rss*>",
    ]
  )
  func notUTF8(text: String) {
    let parts = text.split(separator: "*").map { Data($0.utf8) }
    for bad in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3]] {
      let data = Data("\n\n".utf8) + parts[0] + Data(bad.map { UInt8($0) }) + parts[1]
      expectNoDifference(problem(data), "malformed feed: line 3: invalid UTF-8")
    }
  }

  @Test(
    "A document type that declares anything is refused",
    arguments: [
      "<!ELEMENT rss ANY>", "<!ATTLIST rss a CDATA #IMPLIED>", "<!NOTATION n SYSTEM 'x'>",
      "<!ENTITY % p 'q'>%p;", "<!ENTITY e SYSTEM 'f' NDATA n>", "", "<?x?>",
    ]
  )
  func documentTypeThatDeclaresAnythingIsRefused(subset: String) {
    for type in ["rss", "rss SYSTEM 'x>['", "rss PUBLIC \"'\" '>'"] {
      let text = "<!-- <a --><?b <c ?>\n<!DOCTYPE \(type) [\(subset)]><rss/>"
      expectNoDifference(problem(text), "malformed feed: its document type contains declarations")
    }
  }

  @Test("What declares nothing, or stands where it is text, is fine")
  func noDeclarations() throws {
    for start in ["<!DOCTYPE rss>", "<!DOCTYPE rss SYSTEM '[>'>", "<!-- <!DOCTYPE rss [ -->"] {
      expectNoDifference(problem(start + "<rss/>"), nil)
    }
    let text = feed(titled: "<![CDATA[<!DOCTYPE a [<!ENTITY b 'c'>]>]]>")
    let titles = try Feed(Data(text.utf8)).entries.map(\.title)
    expectNoDifference(titles, ["<!DOCTYPE a [<!ENTITY b 'c'>]>"])
    #expect(problem("<rss><!DOCTYPE rss [<!ATTLIST rss a CDATA #IMPLIED>]></rss>") != nil)
    #expect(problem("<rss/><!DOCTYPE rss [<!ATTLIST rss a CDATA #IMPLIED>]>") != nil)
    expectNoDifference(
      problem("x<!DOCTYPE rss []><rss/>"),
      "malformed feed: line 1: no root element"
    )
  }

  @Test("Encodings that are declared, with and without a byte order mark")
  func declaredEncodingsWithAndWithoutByteOrderMark() throws {
    let samples: [(String, String, String.Encoding)] = [
      ("iso-8859-2", "Łódź", .isoLatin2), ("WINDOWS-1252", "“Grüße”", .windowsCP1252),
      ("windows-1251", "Привет", .windowsCP1251), ("Shift_JIS", "日本", .shiftJIS),
      ("UTF-16", "日本", .utf16), ("UTF-16", "日本", .utf16BigEndian),
      ("UTF-16", "日本", .utf16LittleEndian),
    ]
    for (name, title, encoding) in samples {
      let text = "<?xml version='1.0' encoding='\(name)'?>" + feed(titled: title)
      let data = try #require(text.data(using: encoding))
      expectNoDifference(try Feed(data).entries.map(\.title), [title])
    }
    let marked = Data([0xEF, 0xBB, 0xBF]) + Data(feed(titled: "é").utf8)
    expectNoDifference(try Feed(marked).entries.map(\.title), ["é"])
    for name in ["x-nothing", "utf-16", "UCS-4", ""] {
      let text = "<?xml version='1.0' encoding='\(name)'?><rss/>"
      expectNoDifference(
        problem(text),
        "malformed feed: line 1: unknown or incorrect encoding",
        "\(name)"
      )
    }
  }

  @Test("Elements may be nested 256 deep, and not deeper")
  func elementsMayBeNested256Deep() throws {
    func nested(_ depth: Int) -> String {
      "<rss>\n" + String(repeating: "<a>", count: depth - 1)
        + String(repeating: "</a>", count: depth - 1) + "</rss>"
    }
    expectNoDifference(problem(nested(256)), nil)
    let reason = "malformed feed: line 2: elements are nested more than 256 levels deep"
    expectNoDifference(problem(nested(257)), reason)
    expectNoDifference(problem("<rss>\n" + String(repeating: "<a>", count: 100_000)), reason)
  }

  @Test("Reading ends early when the task is cancelled")
  func cancelledReadingEndsEarly() async {
    let text = feed(titled: "One")
    expectNoDifference(problem(text), nil)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return problem(text)
    }
    task.cancel()
    #expect(await task.value == "malformed feed: line 1: libxml2 error 111")
  }

  @Test("A document that is larger in UTF-8 than a feed may be")
  func tooLargeDocumentInUTF8IsRefused() {
    let data = feed(titled: String(repeating: "日", count: 4_000_000)).data(using: .utf16)!
    #expect(data.count < 10_000_000)
    expectNoDifference(problem(data), "larger than 10 MB")
  }
}
