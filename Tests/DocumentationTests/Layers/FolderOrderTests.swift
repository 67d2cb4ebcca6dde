import CustomDump
import Testing

@Suite("The folders of a module are in layers")
struct FolderOrderTests {
  static let modules = [
    "ReactiveLifecycle", "LifecycleCountdowns", "LifecycleJournaling", "LifecycleBackgroundWork",
    "LifecycleSources", "LifecycleSystem", "LifecycleTerminal", "LifecycleServices",
    "LifecycleFlightRecording", "LifecycleTimelines", "LifecycleTesting", "LifecycleTestingTraits",
    "LifecycleSupport", "LifecycleCombine",
  ]

  @Test("No two folders need each other", arguments: modules)
  func foldersHaveAnOrder(_ module: String) throws {
    let files = try FolderOrder.File.all(in: module)
    #expect(!files.isEmpty)
    expectNoDifference(FolderOrder(files).cycles, [])
  }

  private func cycles(_ files: KeyValuePairs<String, String>) -> [String] {
    FolderOrder(files.map { FolderOrder.File($0.key, $0.value) }).cycles
  }

  @Test("A cycle is found, and each name of it with its file and line")
  func cycleIsNamed() {
    expectNoDifference(
      cycles([
        "Bus/Bus.swift": "public final class Bus {\n  var phase: Phase?\n}",
        "Phases/Phase.swift": "struct Phase {}\n\nextension Phase {\n  func send(_ bus: Bus) {}\n}",
      ]),
      [
        """
        Bus and Phases need each other.
        Bus names Phase (Bus/Bus.swift:2)
        Phases names Bus (Phases/Phase.swift:4)
        """
      ]
    )
  }

  @Test("One direction is none, nor are files of one folder that name each other")
  func oneDirectionIsNoCycle() {
    expectNoDifference(
      cycles([
        "Bus/Bus.swift": "struct Bus { var table: Table, phase: Phase }",
        "Bus/Table.swift": "struct Table { typealias Owner = Bus }",
        "Phases/Phase.swift": "enum Phase { case active }",
      ]),
      []
    )
  }

  @Test("A folder inside another one, and the module's own, are folders of their own")
  func nestedFolders() {
    expectNoDifference(
      cycles([
        "Work/Tasks/Task.swift": "struct Grant { let work: Work }",
        "Work/Work.swift": "struct Work { var grant: Grant, all: All }",
        "All.swift": "struct All { var work: [Work] }",
      ]),
      [
        """
        . and Work need each other.
        . names Work (All.swift:1)
        Work names All (Work/Work.swift:1)
        """,
        """
        Work and Work/Tasks need each other.
        Work names Grant (Work/Work.swift:1)
        Work/Tasks names Work (Work/Tasks/Task.swift:1)
        """,
      ]
    )
  }

  @Test("Comments and the text of strings don't count")
  func commentsAndStrings() {
    expectNoDifference(
      cycles([
        "Bus/Bus.swift": "struct Bus { var phase: Phase }",
        "Phases/Phase.swift": ##"""
        // Bus
        /// Bus, as in ``Bus``.
        /* Bus /* Bus */ Bus */
        struct Phase {
          let texts = ["Bus", "\"Bus", #"Bus "Bus" \(Bus)"#, """
            Bus "Bus" \
            Bus
            """]
        }
        """##,
      ]),
      []
    )
  }

  @Test("Code in a string counts")
  func codeInStringCounts() {
    for string in [#""\(f("a", Bus()))""#, ##"#"\#(Bus())"#"##] {
      expectNoDifference(
        cycles([
          "Bus/Bus.swift": "struct Bus { var phase: Phase }",
          "Phases/Phase.swift": "struct Phase {}\nlet text = \(string)",
        ]),
        [
          """
          Bus and Phases need each other.
          Bus names Phase (Bus/Bus.swift:1)
          Phases names Bus (Phases/Phase.swift:2)
          """
        ]
      )
    }
  }

  @Test("Private and local names don't count, nor names that several folders declare")
  func namesOfOneFileOrSeveral() {
    expectNoDifference(
      cycles([
        "Bus/Bus.swift": """
        struct Bus { var phase: Phase }
        private struct Table { struct Row {} }
        private extension Bus { struct Cell {} }
        fileprivate func find() {}
        func make() { struct Local {} }
        struct Shared {}
        """,
        "Phases/Phase.swift": """
        struct Phase { let names = (Table.self, Row.self, Cell.self, find, Local.self, Shared.self) }
        """,
        "Tables/Shared.swift": "struct Shared {}",
      ]),
      []
    )
  }

  @Test("Nested types and functions of the top level count; methods and labels don't")
  func nestedTypesAndFunctions() {
    expectNoDifference(
      cycles([
        "Bus/Bus.swift": """
        struct Bus { let phase: Phase; private(set) var row: Row; struct Row {}; func send() {} }
        func make() {}
        """,
        "Phases/Phase.swift": """
        struct Phase { let row: Bus.Row }
        func run() { make() }
        """,
        "Times/Time.swift": "func tick(make: Int) { time.send(); time.make(); Phase() }",
      ]),
      [
        """
        Bus and Phases need each other.
        Bus names Phase (Bus/Bus.swift:1)
        Phases names Bus (Phases/Phase.swift:1), Bus.Row (Phases/Phase.swift:1), \
        make (Phases/Phase.swift:2)
        """
      ]
    )
  }
}
