import Foundation
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphySchema

/// `result.json`: the public record of a run, from which every report is generated.
public enum ResultFile {
  /// The name of the file in the report folder.
  package static let name = "result.json"
  /// The JSON Schema (2020-12) of the file, as `murphy report --schema` prints it.
  public static let schema = ReportSchema.result

  /// The result as JSON text: keys in snake_case and in the order of the types, one fact a line. Findings have the
  /// order that all reports use for their numbers.
  public static func encode(_ result: RunResult) throws -> String {
    var result = result
    result.findings = result.findingList.entries.map(\.finding)
    return JSONLayout.text(try JSONTreeEncoder.encode(result)) + "\n"
  }

  /// Reads a result; keys that this version does not support are ignored.
  /// - Throws: `ReportError` that describes the error in the text.
  package static func decode(_ text: String, path: String = name) throws(ReportError) -> RunResult {
    try decode(text, path) { decoder, data in
      if let excess = NumberBounds.excess(in: try JSONValue.parse(data)) {
        throw ReportError("read", path, reason: excess, advice: "Use a result.json file that `murphy run` wrote.")
      }
      return try decoder.decode(RunResult.self, from: data)
    }
  }

  /// Reads what decides whether a run can be compared with a result in a folder.
  package static func readHeader(_ path: String) throws(ReportError) -> StoredHeader {
    var header = try decode(try text(of: path, isNamed: false), path) { try $0.decode(StoredHeader.self, from: $1) }
    header.file = path
    return header
  }

  /// Reads a result from a folder whose files the user did not name.
  package static func readStored(_ path: String) throws(ReportError) -> RunResult {
    try decode(try text(of: path, isNamed: false), path: path)
  }

  private static func decode<Value>(
    _ text: String, _ path: String, _ read: (JSONDecoder, Data) throws -> Value
  ) throws(ReportError) -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = Data(text.utf8)
    do {
      let header = try decoder.decode(Header.self, from: data)
      guard header.format == RunResult.currentFormat else {
        throw ReportError(
          "read", path,
          reason: "the file has the format \"\(header.format)\", but this version of murphy reads only "
            + "\"\(RunResult.currentFormat)\"",
          advice: "Use the version of murphy that wrote the file.")
      }
      return try read(decoder, data)
    } catch let error as ReportError {
      throw error
    } catch {
      throw ReportError(
        "read", path, reason: reason(error, text), advice: "Use a result.json file that `murphy run` wrote.")
    }
  }

  /// Writes the result atomically.
  package static func write(_ result: RunResult, to path: String) throws {
    try AtomicFile.write(try encode(result), to: path)
  }

  /// Reads a result from a file.
  public static func read(_ path: String) throws(ReportError) -> RunResult {
    try decode(try text(of: path), path: path)
  }

  /// - Parameter isNamed: false for a file of a folder, which may contain any files.
  private static func text(of path: String, isNamed: Bool = true) throws(ReportError) -> String {
    do {
      let bytes =
        isNamed
        ? try BoundedFile.read(path, limit: BoundedFile.data)
        : try BoundedFile.readNamed(path, limit: BoundedFile.stored)
      guard let read = String(validating: bytes, as: UTF8.self) else {
        throw BoundedFile.Failure("the file is not UTF-8 text")
      }
      return read
    } catch {
      throw ReportError(
        "read", path, reason: "\(error)", advice: "Use a result.json file that `murphy run` wrote.")
    }
  }

  private struct Header: Decodable { var format: String }

  private static func reason(_ error: any Error, _ text: String) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath)) lacks the required field \"\(snakeCase(key.stringValue))\""
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context.codingPath)) has a value of the wrong type"
    case DecodingError.dataCorrupted(let context):
      context.codingPath.isEmpty ? syntax(text) : "\(place(context.codingPath)): \(context.debugDescription)"
    default: "\(error)"
    }
  }

  /// The position of the JSON syntax error.
  private static func syntax(_ text: String) -> String {
    do {
      _ = try JSONValue.parse(text)
      return "the file is not a result of murphy"
    } catch {
      return "the file is not JSON (\(error.description))"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty
      ? "the file"
      : "the field /" + path.map { $0.intValue.map(String.init) ?? snakeCase($0.stringValue) }.joined(separator: "/")
  }
}

/// The range of whole numbers in a stored result: reports add them, and a file can contain any number. Fractions need
/// no bound, because they are only scaled and shown.
enum NumberBounds {
  /// The maximum of counts, microseconds and seconds. The sum of nine million of them still fits into 64 bits.
  private static let most = 1_000_000_000_000
  /// The maximum of bytes.
  private static let mostBytes = 1 << 53
  private static let byteNames: Set<String> = ["bytes_received", "peak_memory", "response_size"]

  /// A number that no run writes, in a sentence; nil if there is none.
  static func excess(in value: JSONValue) -> String? { excess(in: value, name: "the file") }

  private static func excess(in value: JSONValue, name: String) -> String? {
    switch value {
    case .number(let number):
      // These are never added.
      guard name != "seed", name != "salt", name != "value", let whole = number.int else { return nil }
      let most = byteNames.contains(name) ? mostBytes : most
      return whole.magnitude <= most ? nil : "\(name) is \(number.text.prefix(40)), more than any run can write"
    case .array(let elements):
      for element in elements { if let excess = excess(in: element, name: name) { return excess } }
    case .object(let object):
      for (key, member) in object { if let excess = excess(in: member, name: key) { return excess } }
    case .null, .bool, .string: break
    }
    return nil
  }
}

/// A report that could not be written or read: an internal failure, not a verdict.
public struct ReportError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operation that failed: `write`, `read`.
  package var operation: String
  /// The file or folder.
  package var path: String
  /// The reason, without a full stop.
  package var reason: String
  /// The advice to the user.
  package var advice: String

  package init(_ operation: String, _ path: String, reason: String, advice: String) {
    self.operation = operation
    self.path = path
    self.reason = reason
    self.advice = advice
  }

  /// `cannot write reports/result.json: no space left on device. Free some space …`
  public var description: String { "cannot \(operation) \(path): \(reason). \(advice)" }
}

extension SecretMask {
  /// A value without secrets in any of its strings: the input of every report.
  ///
  /// All strings are masked here, so that no field is forgotten. Cost: one encoding and one decoding; none without
  /// secrets.
  package func masked<Value: Codable>(_ value: Value) throws -> Value {
    if isEmpty { return value }
    let tree = try JSONTreeEncoder.encode(value, masking: self)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(tree.text.utf8))
  }
}

extension RunResult {
  /// The result without secrets in any string. If masking fails, the result is empty, so that no secret is disclosed.
  package func masked(by mask: SecretMask) -> RunResult {
    do {
      return try mask.masked(self)
    } catch {
      var bare = self
      bare.findings = []
      bare.limits = []
      bare.sessions = []
      bare.traffic = []
      bare.budgets = []
      bare.state = []
      bare.relations = nil
      bare.coverage = Coverage()
      bare.generator.doubts = []
      bare.generator.reservations = nil
      bare.run.target = mask.masked(run.target)
      bare.run.scenario = mask.masked(run.scenario)
      bare.run.unreached = run.unreached.map(mask.masked)
      bare.run.setup?.failed = run.setup?.failed.map(mask.masked)
      bare.run.teardown?.failed = run.teardown?.failed.map(mask.masked)
      for index in bare.operations.indices { bare.operations[index].conformance = nil }
      bare.reasons = ["murphy could not mask secrets (\(type(of: error))), so the result is shown without its findings"]
      bare.verdict = .invalid
      return bare
    }
  }
}
