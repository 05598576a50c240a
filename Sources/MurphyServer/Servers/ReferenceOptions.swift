import Foundation

/// The start options of a reference server.
public struct ReferenceOptions: Sendable {
  /// Address to listen on.
  public var host = "127.0.0.1"
  /// Port to listen on; 0 for any free one.
  public var port = 0
  /// Threads of the server. With one, each request stays on that thread from its socket to its response.
  public var threads = 1
  /// SQLite file, created if it does not exist; nil keeps all data in memory.
  public var database: String?
  /// Generates the initial data, and the places of intermittent faults.
  public var seed: UInt64 = 1
  /// Faults that a caller has created itself.
  package var faults: [Fault] = []
  /// Faults by name. The start checks that the system has them.
  package var faultNames: [String] = []
  /// The settings of all limiters of the server.
  package var limits = LimitSettings()
  /// Work that each request takes from a worker before it is read; nil for none.
  package var work: Duration?
  /// The same for one request in twenty, if it differs.
  package var workTail: Duration?
  /// The number of requests that are processed at a time, in their order.
  package var workers = 1
  /// The OTLP/HTTP endpoint to which the server sends its spans; nil for none.
  package var spanEndpoint: String?
  /// The options that were set, in order.
  package internal(set) var chosen: [(name: String, value: String)] = []

  package init() {}

  /// The options that start the same server, including those set in code.
  package var given: [(name: String, value: String)] {
    chosen.filter { $0.name != "fault" } + (faultNames + faults.map(\.name)).map { ("fault", $0) }
  }
}

extension ReferenceOptions {
  /// Names that `set` accepts, each with its values.
  package static let names: [(name: String, meaning: String)] = [
    ("host", "address to listen on"),
    ("port", "port to listen on, 0 for any free port"),
    ("threads", "threads of the server, 1 to 64"),
    ("database", "SQLite file, or \"memory\""),
    ("seed", "seed of the generated data and the positions of intermittent faults"),
    ("fault", "a fault; may be repeated"),
    ("limiter", "counting algorithm: " + LimiterAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")),
    ("limits", "\"off\" or \"on\""),
    ("limit", "a rate limit that replaces the documented rate limit, such as voteLaw=30/60s; may be repeated"),
    ("time-scale", "factor for the duration of every time window, token and stream, 0.001 to 1000"),
    ("work", "processing time of a request in milliseconds, 0.01 to 60000"),
    ("work-tail", "processing time of one request in twenty in milliseconds, 0.01 to 60000"),
    ("workers", "requests processed at a time, 1 to 10000; capacity = workers / work"),
    ("rate-headers", "rate-limit headers: " + RateHeaders.allCases.map(\.rawValue).joined(separator: ", ")),
  ]

  /// Sets one option from text, as on a command line or in `embedded:murphys-laws?fault=stall&time-scale=0.1`.
  /// - Throws: a `ServerError` with the found value and the allowed ones.
  package mutating func set(_ name: String, to text: String) throws(ServerError) {
    chosen.append((name, text))
    switch name {
    case "host": host = text
    case "port": port = try Self.integer(text, name, 0...65535)
    case "threads": threads = try Self.integer(text, name, 1...64)
    case "database": database = text == "memory" ? nil : text
    case "seed":
      guard let number = UInt64(text) else { throw ServerError("seed \"\(text)\" is not a number from 0 to 2^64 - 1") }
      seed = number
    case "fault":
      let known = ReferenceAPI.all.flatMap { $0.faults.map(\.name) }
      guard known.contains(text) else {
        throw ServerError(unknown: "fault", text, among: known, listedBy: "murphy serve --faults")
      }
      faultNames.append(text)
    case "limiter": limits.algorithm = try Self.choice(text, name)
    case "limits":
      guard text == "on" || text == "off" else { throw ServerError("limits are \"on\" or \"off\", not \"\(text)\"") }
      limits.isOff = text == "off"
    case "limit": limits.overrides.append(try LimitOverride(parsing: text))
    case "time-scale":
      guard let factor = Double(text), 0.001...1000 ~= factor else {
        throw ServerError("time-scale \"\(text)\" is not a number from 0.001 to 1000")
      }
      limits.timeScale = factor
    case "work": work = try Self.milliseconds(text, name)
    case "work-tail": workTail = try Self.milliseconds(text, name)
    case "workers": workers = try Self.integer(text, name, 1...10_000)
    case "rate-headers": limits.headers = try Self.choice(text, name)
    default: throw ServerError(unknown: "option", name, among: Self.names.map(\.name))
    }
  }

  private static func milliseconds(_ text: String, _ name: String) throws(ServerError) -> Duration {
    guard let number = Double(text), 0.01...60_000 ~= number else {
      throw ServerError("\(name) \"\(text)\" is not a number of milliseconds from 0.01 to 60000")
    }
    return .nanoseconds(Int64(number * 1e6))
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ text: String, _ name: String
  ) throws(ServerError) -> Choice {
    guard let choice = Choice(rawValue: text) else {
      throw ServerError(unknown: name, text, among: Choice.allCases.map(\.rawValue))
    }
    return choice
  }

  private static func integer(_ text: String, _ name: String, _ range: ClosedRange<Int>) throws(ServerError) -> Int {
    guard let value = Int(text), range.contains(value) else {
      throw ServerError("\(name) \"\(text)\" is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }
}

/// The reason why a reference server could not be started, or its options could not be read.
package struct ServerError: Error, CustomStringConvertible, Sendable, Equatable {
  /// One sentence: the failure, its object, and the remedy.
  package let description: String

  package init(_ description: String) { self.description = description }

  /// `unknown fault "lost-vot". Did you mean "lost-vote"?`. If no name is similar: all names, or the command that lists
  /// them.
  init(unknown kind: String, _ name: String, among known: [String], listedBy command: String? = nil) {
    if let nearest = NearestName.find(name, among: known) {
      self.init("unknown \(kind) \"\(name)\". Did you mean \"\(nearest)\"?")
    } else if let command {
      self.init("unknown \(kind) \"\(name)\". `\(command)` lists all of them.")
    } else {
      self.init("unknown \(kind) \"\(name)\". Known: \(known.joined(separator: ", ")).")
    }
  }
}

/// Suggests a correction of a mistyped name.
enum NearestName {
  /// The candidate with the fewest insertions, deletions and substitutions (Levenshtein), if at most a third of it is
  /// wrong.
  static func find(_ name: String, among candidates: [String]) -> String? {
    let typed = Array(name.lowercased())
    return
      candidates
      .map { (name: $0, distance: distance(typed, Array($0.lowercased()))) }
      .filter { $0.distance <= max($0.name.count, typed.count) / 3 }
      .min { $0.distance < $1.distance }?.name
  }

  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        (diagonal, row[j + 1]) = (row[j + 1], min(row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1)))
      }
    }
    return row[b.count]
  }
}
