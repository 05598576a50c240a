import Foundation
import MurphyHTTP
import MurphyModel

/// The content of a file of shards.
package struct ShardPart: Sendable {
  package var part: RunMeasurement
  /// The contract's documents from the target, by their URL.
  package var documents: [String: [UInt8]]
  /// The version of murphy that wrote it.
  package var murphy: String
  /// The fingerprint of the key of its words for secrets.
  package var key: String
}

/// The reason why a file of shards cannot be merged, as a sentence without a full stop.
package struct ShardError: Error, Sendable, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

extension ShardFile {
  /// - Parameter name: the name of the file in messages; nil for its path.
  /// - Throws: the problem with the file, and its fix.
  package static func read(_ path: String, name shown: String? = nil) throws(ShardError) -> ShardPart {
    let file = shown ?? URLCredentials.masked(path)
    do {
      return try records(path, file)
    } catch let error as ShardError {
      throw error
    } catch GzipLineReader.Failure.unreadable(let error) {
      throw ShardError("\(error). Pass the report folder of a run with --shard, or its \(name)")
    } catch GzipLineReader.Failure.damaged {
      throw ShardError("\(file) is cut off or damaged: it is not whole gzip data. Pass a \(name) that murphy run wrote")
    } catch GzipLineReader.Failure.tooLong {
      throw ShardError("\(file) has a line that is longer than any that murphy writes")
    } catch {
      throw ShardError("\(file) is not a file of a shard: \(Self.reason(error)). Pass a \(name) that murphy run wrote")
    }
  }

  private static func records(_ file: String, _ path: String) throws -> ShardPart {
    var lines = try GzipLineReader(file)
    let decoder = JSONDecoder()
    decoder.userInfo[.isExact] = true
    var record: ShardPart?
    var head: Head?
    var count = 0
    while let line = try lines.line() {
      let entry = try decoder.decode(Line.self, from: Data(line))
      if entry.sums != nil, let number = longNumber(in: line) {
        throw ShardError("\(path) holds the count \(number.prefix(40)), larger than any run can write")
      }
      if let read = entry.head {
        guard read.format == format else {
          throw ShardError(
            "\(path) has the format \"\(read.format)\", and this version reads \"\(format)\". Use the version of murphy that wrote it"
          )
        }
        head = read
      }
      guard let head else { throw ShardError("\(path) does not begin with its head") }
      if let end = entry.end {
        guard end.lines == count, let record else {
          throw ShardError("\(path) has missing lines: it has \(count) of \(end.lines)")
        }
        guard try lines.line() == nil else {
          throw ShardError("\(path) has data after its end: it is more than one file. Pass each file separately")
        }
        for log in record.part.logs { try check(log, path) }
        return record
      }
      if let sums = entry.sums {
        record = ShardPart(
          part: sums, documents: head.documents.mapValues { Array($0.utf8) }, murphy: head.murphy, key: head.key)
      }
      if let log = entry.log { record?.part.logs.append(log) }
      try enter(entry, into: &record)
      count += 1
    }
    throw ShardError("\(path) is cut off: its last line is missing")
  }

  /// A number of more than fifteen digits outside of strings, or one with an exponent: counts are added.
  private static func longNumber(in line: [UInt8]) -> String? {
    var digits = 0
    var isText = false
    var isEscaped = false
    for (index, byte) in line.enumerated() {
      if isText {
        isText = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        continue
      }
      isText = byte == UInt8(ascii: "\"")
      let isPower =
        digits != 0 && byte | 0x20 == UInt8(ascii: "e") && index + 1 < line.count
        && line[index + 1] != UInt8(ascii: "-")
      digits = byte &- UInt8(ascii: "0") < 10 ? digits + 1 : byte == UInt8(ascii: ".") ? -1_000 : 0
      if digits > 15 || isPower { return String(decoding: line[max(index - 15, 0)...index], as: UTF8.self) }
    }
    return nil
  }

  private static func enter(_ entry: Line, into record: inout ShardPart?) throws {
    guard let last = record?.part.logs.indices.last else { return }
    if let tables = entry.limitTables { record?.part.logs[last].limits = tables.log }
    if let columns = entry.limits, let log = record?.part.logs[last].limits {
      let entries = try columns.entries(start: log.start)
      try ColumnError.check(entries.map(\.request), in: "requests", of: log.requests.count)
      try ColumnError.check(entries.map(\.body), in: "bodies", of: log.bodies.count)
      try ColumnError.check(entries.map(\.headers), in: "header sets", of: log.headerSets.count)
      try ColumnError.check(rows: entries.map(\.identity), in: "identities", of: log.identities.count)
      try ColumnError.check(rows: entries.map(\.operation), in: "operations", of: log.operations.count)
      try checkRoom(for: entries.count, beside: record?.part.logs.map(\.limits.observations.count) ?? [])
      record?.part.logs[last].limits.observations += entries
    }
    if let tables = entry.stateTables { record?.part.logs[last].state = tables.log }
    if let columns = entry.state, let log = record?.part.logs[last].state {
      let entries = try columns.entries
      for numbers in [entries.map(\.key), entries.map(\.actor), entries.map(\.c), entries.map(\.once)] {
        try ColumnError.check(numbers, in: "names", of: log.names.texts.count)
      }
      try ColumnError.check(entries.map(\.request), in: "requests", of: log.requests.count)
      try ColumnError.check(entries.map(\.headers), in: "headers", of: log.headers.count)
      try ColumnError.check(rows: entries.map { UInt32($0.invariant) }, in: "invariants", of: log.gaps.count)
      try ColumnError.check(rows: entries.map { UInt32($0.operation) }, in: "operations", of: log.operations.count)
      try checkRoom(for: entries.count, beside: record?.part.logs.map(\.state.exchanges.count) ?? [])
      record?.part.logs[last].state.exchanges += entries
    }
    if let relations = entry.relations { record?.part.logs[last].relations = relations }
  }

  /// One line, with one of these fields.
  private struct Line: Decodable {
    var head: Head?
    var sums: RunMeasurement?
    var log: EventLog?
    var limitTables: LimitTables?
    var limits: LimitColumns?
    var stateTables: StateTables?
    var state: StateColumns?
    var relations: RelationLog?
    var end: End?
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context): "\(place(context.codingPath)) lacks \"\(key.stringValue)\""
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context.codingPath)) is of the wrong type"
    case DecodingError.dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
    default: "\(error)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty ? "a line" : "/" + path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
  }
}
