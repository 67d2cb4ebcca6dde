#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A command from the parent to the shell.
enum ShellCommand: Hashable {
  /// `output` is a FIFO that the parent reads.
  case launch(JobRequest, output: String)
  case foreground(pid_t, continuing: Bool)
  case background(pid_t)
  case takeTerminal

  /// A negative target is a process group, as for `kill`.
  case signal(CInt, target: pid_t)
  case exit
}

extension ShellCommand {
  var fields: [String] {
    switch self {
    case .launch(let request, let output): ["launch", output] + request.fields
    case .foreground(let job, let continuing): ["foreground", "\(job)", "\(continuing)"]
    case .background(let job): ["background", "\(job)"]
    case .takeTerminal: ["takeTerminal"]
    case .signal(let signal, let target): ["signal", "\(signal)", "\(target)"]
    case .exit: ["exit"]
    }
  }

  init(fields: [String]) throws(JobControlError) {
    var reader = FieldReader(fields)
    let name = try reader.next()
    switch name {
    case "launch":
      let output = try reader.next()
      self = .launch(try JobRequest(from: &reader), output: output)
    case "foreground":
      self = .foreground(try reader.next(), continuing: try reader.next())
    case "background": self = .background(try reader.next())
    case "takeTerminal": self = .takeTerminal
    case "signal": self = .signal(try reader.next(), target: try reader.next())
    case "exit": self = .exit
    default: throw .protocolViolation(name)
    }
  }
}

extension JobRequest {
  fileprivate var fields: [String] {
    let terminal: (String, String) =
      switch placement {
      case .foreground: ("foreground", "")
      case .background: ("background", "")
      case .newSession: ("newSession", "")
      case .newSessionOnTerminal(let path): ("newSessionOnTerminal", path)
      }
    return [
      terminal.0, terminal.1,
      standardInput.rawValue, standardOutput.rawValue, standardError.rawValue,
      blockedSignals.field, ignoredSignals.field,
      "\(environment.count)",
    ] + environment.flatMap { [$0.key, $0.value] } + arguments
  }

  fileprivate init(from reader: inout FieldReader) throws(JobControlError) {
    let (name, path): (String, String) = (try reader.next(), try reader.next())
    let standardInput = try reader.nextStream()
    let standardOutput = try reader.nextStream()
    let standardError = try reader.nextStream()
    let blockedSignals = try InheritedSignals(field: try reader.next())
    let ignoredSignals = try InheritedSignals(field: try reader.next())
    var environment: [String: String] = [:]
    let count: Int = try reader.next()
    guard count >= 0 else { throw .protocolViolation("\(count) variables") }
    for _ in 0..<count {
      let key = try reader.next()
      environment[key] = try reader.next()
    }
    self.init(reader.rest)
    self.environment = environment
    self.standardInput = standardInput
    self.standardOutput = standardOutput
    self.standardError = standardError
    self.blockedSignals = blockedSignals
    self.ignoredSignals = ignoredSignals
    switch name {
    case "foreground": placement = .foreground
    case "background": placement = .background
    case "newSession": placement = .newSession
    case "newSessionOnTerminal": placement = .newSessionOnTerminal(path)
    default: throw .protocolViolation(name)
    }
  }
}

extension InheritedSignals {
  fileprivate var field: String {
    switch self {
    case .none: ""
    case .all: "all"
    case .some(let signals): signals.map(String.init).joined(separator: " ")
    }
  }

  fileprivate init(field: String) throws(JobControlError) {
    switch field {
    case "": self = .none
    case "all": self = .all
    default:
      let words = field.split(separator: " ")
      let signals = words.compactMap { CInt($0) }
      guard !words.isEmpty, signals.count == words.count else { throw .protocolViolation(field) }
      self = .some(Set(signals))
    }
  }
}

extension FieldReader {
  fileprivate mutating func nextStream() throws(JobControlError) -> JobRequest.Stream {
    let field = try next()
    guard let stream = JobRequest.Stream(rawValue: field) else { throw .protocolViolation(field) }
    return stream
  }
}
