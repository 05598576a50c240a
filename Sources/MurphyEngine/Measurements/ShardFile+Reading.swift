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
      throw ShardError("\(error). Name the report folder of a run with --shard, or the \(name) in this folder")
    } catch GzipLineReader.Failure.damaged {
      throw ShardError(
        "\(file) is incomplete or damaged: it is not a complete gzip file. Use a \(name) that murphy run wrote")
    } catch GzipLineReader.Failure.tooLong {
      throw ShardError("\(file) has a line that is too long for a file of murphy. Use a \(name) that murphy run wrote")
    } catch {
      throw ShardError("\(file) is not the file of a shard: \(Self.reason(error)). Use a \(name) that murphy run wrote")
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
        throw ShardError("\(path) contains the count \(number.shortened(to: 40)), which is above the maximum")
      }
      if let read = entry.head {
        guard read.format == format else {
          throw ShardError(
            """
            \(path) has the format "\(read.format)", but this version of murphy reads "\(format)". Use the version of \
            murphy that wrote the file
            """
          )
        }
        head = read
      }
      guard let head else { throw ShardError("\(path) is not the file of a shard: the first line is not a header") }
      if let end = entry.end {
        guard end.lines == count, let record else {
          throw ShardError("\(path) is incomplete: it has \(count) of \(end.lines) lines")
        }
        guard try lines.line() == nil else {
          throw ShardError(
            """
            \(path) has data after the last line of the shard. If several files were joined, name each file separately
            """)
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
    throw ShardError("\(path) is incomplete: the last line is missing")
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
      try ColumnError.check(entries.map(\.costs), in: "costs", of: log.costs.count)
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
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath)) lacks the required field \"\(key.stringValue)\""
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(place(context.codingPath)) has a value of the wrong type"
    case DecodingError.dataCorrupted(let context): "\(place(context.codingPath)): \(context.debugDescription)"
    default: "\(error)"
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    path.isEmpty
      ? "a line"
      : "the field /" + path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "/")
  }
}

/// Rejects invalid content of a file of shards, so that its values can be added and looked up safely.
extension ShardFile {
  /// The maximum of entries of one kind of log in a file.
  private static let mostEntries = 2_600_000
  /// The maximum of a count. Counts are added over all shards.
  private static let mostCounted = 1_000_000_000_000_000 / 100_000
  /// The maximum of times and clocks, seconds.
  private static let longest = 1e9
  /// The maximum of nanoseconds since 1970, or since the start of a machine.
  private static let latest: Int64 = 4_000_000_000_000_000_000

  static func checkRoom(for more: Int, beside counts: [Int]) throws(ColumnError) {
    guard counts.reduce(more, +) > mostEntries else { return }
    throw ColumnError("a log has more than \(mostEntries) entries, which is the maximum")
  }

  /// - Throws: the invalid content.
  static func check(_ log: EventLog, _ path: String) throws(ShardError) {
    func refuse(_ what: String) -> ShardError { ShardError("\(path) has an invalid value: \(what)") }
    let info = log.info
    guard let shard = info.shard else { return }
    for (what, count) in counts(log, shard) where count < 0 || count > mostCounted {
      throw refuse("\(what) is \(count)")
    }
    guard shard.sessions <= shard.sessionsOfAll else {
      throw refuse("the shard has \(shard.sessions) sessions, but the whole run has only \(shard.sessionsOfAll)")
    }
    let clock = shard.clock
    guard 0...latest ~= clock.monotonic, 0...latest ~= clock.wall else {
      throw refuse("the clocks show \(clock.monotonic) and \(clock.wall)")
    }
    var times = [info.duration, info.aborted, info.lost?.at, shard.late, shard.corrected].compactMap { $0?.inSeconds }
    times.append(log.generator.achieved)
    for bound in clock.bounds { times += [bound.low, bound.high] }
    for stage in info.load { times += [stage.from, stage.to, stage.start.inSeconds, stage.end.inSeconds] }
    // Gaps are excluded: one that lasted to the end has no end.
    for loss in log.answers.losses { times += [loss.sent, loss.ended] }
    for wait in log.answers.waits { times += [wait.sent, wait.ended] }
    if let time = times.first(where: { !($0.magnitude <= longest) }) { throw refuse("a time or a rate is \(time)") }
    guard clock.bounds.allSatisfy({ $0.low <= $0.high }) else {
      throw refuse("a clock's lower bound is above its upper bound")
    }
    for costs in log.limits.costs {
      for (name, cost) in costs where !(0...LimitCost.most ~= cost) { throw refuse("the cost \(name) is \(cost)") }
    }
    guard log.limits.issues.allSatisfy({ -1..<log.limits.requests.count ~= Int($0.login) }),
      log.state.freshActors.allSatisfy({ 0..<log.state.names.texts.count ~= Int($0) })
    else { throw refuse("it refers to table rows that do not exist") }
  }

  /// All values that are added, with their names.
  private static func counts(_ log: EventLog, _ shard: RunShard) -> [(String, Int)] {
    let generator = log.generator
    let relations = log.relations
    var counts: [(String, Int)] = [
      ("sessions", shard.sessions), ("sessionsOfAll", shard.sessionsOfAll), ("requests", log.requests),
      ("begun", log.begun), ("step", log.course.step), ("loops", generator.loops), ("stalls", generator.loopStalls),
      ("peakUsers", generator.peakUsers), ("leftOut", log.limits.leftOut), ("uncounted", log.answers.uncounted),
      ("walked", relations.walked), ("setup", log.info.setup?.requests ?? 0),
      ("teardown", log.info.teardown?.requests ?? 0), ("tokens", log.info.tokens?.requests ?? 0),
      ("failed tokens", log.info.tokens?.failed ?? 0), ("renewals", log.info.tokens?.renewals ?? 0),
      ("iterations", shard.load.iterations ?? 0),
      ("users", shard.load.users ?? 0),
    ]
    for sent in log.course.sent { counts.append(("sent", sent)) }
    for trials in relations.trials.values { counts.append(("trials", trials)) }
    for rows in relations.rows.values { counts.append(("rows", rows)) }
    for inverted in relations.inverted.values { counts.append(("inverted", inverted)) }
    for unlogged in relations.unlogged.values { counts.append(("unlogged", unlogged)) }
    for gaps in log.state.gaps {
      for count in [gaps.moreKeysLeftOut, gaps.unreadWrites, gaps.unreadResponses, gaps.failedReads] {
        counts.append(("gaps", count))
      }
    }
    return counts
  }
}
