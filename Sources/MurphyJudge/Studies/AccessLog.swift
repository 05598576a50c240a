import Foundation
import MurphyModel
import MurphySchema

/// Reads the lines of an access log: nginx's format `combined`, or a JSON object in each line.
package struct AccessLog: Sendable {
  /// One request.
  package struct Entry: Sendable, Hashable {
    /// Seconds since 1970.
    package var time: Double
    /// The client: the value by which the limiter counts; nil for a request without one.
    package var key: String?
    /// Empty if the line has none.
    package var method: String
    /// Without a query; empty if the line has none.
    package var path: String
    package var status: Int?

    /// - Parameter time: seconds since 1970.
    package init(time: Double, key: String?, method: String = "", path: String = "", status: Int? = nil) {
      (self.time, self.key, self.method, self.path, self.status) = (time, key, method, path, status)
    }
  }

  /// The reason why a line cannot be read.
  package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
  }

  /// The names of the fields in JSON, by their meaning. A point leads into an object: `request.uri`.
  package var fields = [
    "time": "time", "key": "remote_addr", "method": "request_method", "path": "uri", "status": "status",
  ]

  package init() {}

  /// - Parameter text: changes of the names, such as `time=ts,key=ip`.
  /// - Throws: `GateError.usage` for an unknown field.
  package init(fields text: String) throws(GateError) {
    for word in text.split(separator: ",").map({ $0.trimmingCharacters(in: .whitespaces) }) {
      let sides = word.split(separator: "=", maxSplits: 1).map(String.init)
      guard sides.count == 2, fields[sides[0]] != nil else {
        throw .usage(
          "--log-fields \"\(text)\": \"\(word)\" is not valid; expected names such as "
            + "time=ts,key=ip,path=uri,method=verb,status=code.")
      }
      fields[sides[0]] = sides[1]
    }
  }

  /// The name of the key, for messages and for the detection of secrets.
  package var keyName: String { fields["key"] ?? "" }

  /// The part of a request that the key is; nil if its name does not say so.
  package var knownKey: LimitKey? {
    if keyName == "remote_addr" { return .sourceAddress }
    guard let key = try? LimitKey(names: [keyName]), [.sourceAddress, .token].contains(key) else { return nil }
    return key
  }

  /// Seconds since 1970: no log is from a later year than 2099.
  private static let end = 4_102_444_800.0

  package func entry(_ line: [UInt8]) throws(Mistake) -> Entry {
    var entry = Self.isJSON(line) ? try json(line) : try combined(line)
    guard (0..<Self.end).contains(entry.time) else { throw Mistake("the time is not between 1970 and 2099") }
    // Both stand for a client that is not logged in.
    if entry.key == "-" || entry.key == "" { entry.key = nil }
    return entry
  }

  private static func isJSON(_ line: [UInt8]) -> Bool { line.first { $0 != 0x20 } == UInt8(ascii: "{") }

  /// A shell command that sorts a log by time.
  ///
  /// - Parameter line: any line of the log.
  package func sorting(_ file: String, line: [UInt8]) -> String {
    let name = (fields["time"] ?? "").split(separator: ".").map { "[\(JSONValue.string(String($0)).text)]" }.joined()
    let sort =
      Self.isJSON(line)
      ? "jq -c -s \(ShellWord("sort_by(.\(name))[]").quoted)"
      : "LC_ALL=C sort -s -t '[' -k 2.8,2.11n -k 2.4,2.6M -k 2.1,2.2n -k 2.13,2.20"
    let word = ShellWord(file).quoted
    if file == "-" { return sort }
    return file.hasSuffix(".gz") ? "zcat \(word) | \(sort)" : "\(sort) \(word)"
  }

  private func json(_ line: [UInt8]) throws(Mistake) -> Entry {
    let value: JSONValue
    do throws(JSONError) { value = try JSONValue.parse(line) } catch { throw Mistake("not JSON: \(error.message)") }
    func field(_ meaning: String) -> JSONValue? {
      guard let name = fields[meaning] else { return nil }
      return value[name] ?? name.split(separator: ".").reduce(value) { $0?[String($1)] }
    }
    func text(_ meaning: String) -> String? {
      switch field(meaning) {
      case .string(let text)?: text
      case .number(let number)?: "\(number)"
      default: nil
      }
    }
    guard let stamp = text("time") else { throw Mistake("the field \"\(fields["time"] ?? "")\" (time) is missing") }
    guard field("key") != nil else { throw Mistake("the field \"\(keyName)\" (key) is missing") }
    guard let time = Self.time(stamp) else { throw Mistake("\"\(stamp.shortened(to: 40))\" is not a time") }
    return Entry(
      time: time, key: text("key"), method: text("method") ?? "", path: Self.path(text("path") ?? ""),
      status: text("status").flatMap { Int($0) })
  }

  /// Seconds or milliseconds since 1970, ISO 8601, or the format of `combined`.
  private static func time(_ text: String) -> Double? {
    if let number = Double(text) { return number.isFinite ? number > 1e11 ? number / 1000 : number : nil }
    if let time = commonTime(Array(text.utf8)[...]) { return time }
    let precise = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    return (precise ?? (try? Date(text, strategy: .iso8601)))?.timeIntervalSince1970
  }

  private static func path(_ target: some StringProtocol) -> String { String(target.prefix { $0 != "?" }) }
}

extension AccessLog {
  /// `203.0.113.9 - ada [27/Nov/2026:17:19:02 +0000] "GET /laws?page=2 HTTP/1.1" 200 512 "-" "curl/8"`
  private func combined(_ line: [UInt8]) throws(Mistake) -> Entry {
    guard let space = line.firstIndex(of: 0x20), let open = line.firstIndex(of: UInt8(ascii: "[")),
      let close = line[open...].firstIndex(of: UInt8(ascii: "]")), space < open
    else { throw Mistake("neither nginx's format `combined` nor JSON") }
    guard let time = Self.commonTime(line[(open + 1)..<close]) else { throw Mistake("no time in brackets") }
    let names = line[(space + 1)..<open].split(separator: 0x20, maxSplits: 1)
    let user = names.last.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespaces) } ?? "-"
    let key: String
    switch keyName {
    case "remote_addr": key = String(decoding: line[..<space], as: UTF8.self)
    case "remote_user": key = user
    default: throw Mistake("the format `combined` has the keys remote_addr and remote_user, but no \"\(keyName)\"")
    }
    var entry = Entry(time: time, key: key)
    guard let quote = line[close...].firstIndex(of: UInt8(ascii: "\"")),
      let end = line[(quote + 1)...].firstIndex(of: UInt8(ascii: "\""))
    else { throw Mistake("no request in quotes") }
    let words = line[(quote + 1)..<end].split(separator: 0x20)
    if words.count >= 2 {
      entry.method = String(decoding: words[0], as: UTF8.self)
      entry.path = Self.path(String(decoding: words[1], as: UTF8.self))
    }
    let status = line[(end + 1)...].drop { $0 == 0x20 }.prefix { $0 != 0x20 }
    entry.status = Int(String(decoding: status, as: UTF8.self))
    return entry
  }

  /// `27/Nov/2026:17:19:02 +0000`
  private static func commonTime(_ bytes: ArraySlice<UInt8>) -> Double? {
    let text = Array(bytes)
    func number(_ range: Range<Int>) -> Int? {
      text[range].reduce(0 as Int?) { sum, byte in
        byte >= 0x30 && byte <= 0x39 ? sum.map { $0 * 10 + Int(byte) - 0x30 } : nil
      }
    }
    guard text.count == 26, text[2] == UInt8(ascii: "/"), let day = number(0..<2), let year = number(7..<11),
      let hour = number(12..<14), let minute = number(15..<17), let second = number(18..<20),
      let zoneHour = number(22..<24), let zoneMinute = number(24..<26),
      let month = CivilTime.months.firstIndex(of: String(decoding: text[3..<6], as: UTF8.self)), 1...31 ~= day,
      hour < 24, minute < 60, second < 61, zoneHour < 24, zoneMinute < 60,
      text[21] == UInt8(ascii: "+") || text[21] == UInt8(ascii: "-")
    else { return nil }
    let zone = (zoneHour * 60 + zoneMinute) * (text[21] == UInt8(ascii: "-") ? -60 : 60)
    return Double(CivilTime.days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second - zone)
  }
}
