import Glibc

/// A mistake in a file that a person wrote: the message, the position, and the nearest valid value.
public struct Diagnostic: Error, Sendable, Hashable {
  /// A file with an error is rejected; one with warnings alone is used.
  package enum Severity: String, Sendable, Codable { case error, warning }

  /// Error or warning.
  package var severity: Severity
  /// The error, with the found and the expected value.
  public var message: String
  /// The position.
  public var mark: SourceMark
  /// The text of the marked line, without its line break; nil if it is empty or too long to be read.
  package var sourceLine: String?
  /// How many columns the caret underlines, at least one.
  package var width: Int

  /// The limits in bytes.
  private static let longestMessage = 4_000
  /// The maximum number of characters of a source line that a message shows.
  package static let longestLine = 300

  package init(
    _ message: String, at mark: SourceMark, severity: Severity = .error, sourceLine: String? = nil, width: Int = 1
  ) {
    self.severity = severity
    // A value of a megabyte in it would not help.
    self.message =
      message.utf8.count <= Self.longestMessage
      ? message : "\(message.prefix(Self.longestMessage / 2)) … \(message.suffix(Self.longestMessage / 10))"
    self.mark = mark
    self.sourceLine = sourceLine.flatMap { 1...Self.longestLine ~= $0.utf8.count ? $0 : nil }
    self.width = width
  }

  /// `file:line:column: error: message`, the source line and a caret. A long line has a JSON Pointer instead.
  public var text: String {
    var text = "\(mark.text): \(severity.rawValue): \(message)"
    guard let sourceLine else { return text }
    let gutter = String(mark.line)
    let blank = String(repeating: " ", count: gutter.count)
    // Tabs stay tabs, so that the caret is under its column whatever the terminal's tab width.
    let lead = String(sourceLine.prefix(max(mark.column - 1, 0)).map { $0 == "\t" ? "\t" : " " })
    text += "\n \(gutter) | \(sourceLine)\n \(blank) | \(lead)\(String(repeating: "^", count: max(width, 1)))"
    return text
  }
}

extension Diagnostic {
  /// The number of diagnostics with equal words that are shown in full.
  private static let mostAlike = 3

  /// The texts, in their order. If more than four diagnostics differ only in quoted words and in their lines, three have
  /// their text, and one text lists the lines of the others.
  package static func texts(of diagnostics: [Diagnostic]) -> [String] {
    let groups = Dictionary(grouping: diagnostics, by: \.words)
    var counts: [String: Int] = [:]
    return diagnostics.compactMap { diagnostic in
      guard let alike = groups[diagnostic.words], alike.count > mostAlike + 1 else { return diagnostic.text }
      let number = counts[diagnostic.words, default: 0] + 1
      counts[diagnostic.words] = number
      guard number > mostAlike else { return diagnostic.text }
      guard number == mostAlike + 1 else { return nil }
      let places = alike.dropFirst(mostAlike).map { $0.mark.pointer ?? String($0.mark.line) }
      return "\(diagnostic.mark.file): \(diagnostic.severity.rawValue): "
        + "the same problem at \(places.count) more place\(places.count == 1 ? "" : "s"), at "
        + "\(diagnostic.mark.pointer == nil ? "the lines " : "")\(places.joined(separator: ", "))"
    }
  }

  /// The texts of ``texts(of:)``, grouped by file. The name of a file is a line of its own, and not a part of each text.
  package static func listing(of diagnostics: [Diagnostic]) -> [String] {
    var files: [String] = []
    for diagnostic in diagnostics where !files.contains(diagnostic.mark.file) { files.append(diagnostic.mark.file) }
    return files.flatMap { file in
      [file]
        + texts(of: diagnostics.filter { $0.mark.file == file }).map { text in
          "  " + text.dropFirst(file.count + 1).drop { $0 == " " }
        }
    }
  }

  /// The file, the severity, and the message without its quoted words.
  private var words: String {
    let unquoted = message.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    return "\(mark.file) \(severity.rawValue) \(unquoted.joined(separator: "\""))"
  }
}

/// A position in a file; lines and columns count from one.
public struct SourceMark: Sendable, Hashable, Codable {
  /// The path of the file, as given.
  public var file: String
  /// From 1.
  public var line: Int
  /// From 1, in characters.
  public var column: Int
  /// The JSON Pointer of the value in a long line, as in minified JSON. A column does not help there.
  public var pointer: String?

  package init(file: String, line: Int, column: Int, pointer: String? = nil) {
    self.file = file
    self.line = line
    self.column = column
    self.pointer = pointer
  }

  /// `gate.yaml:12:5`, or `openapi.json: /paths/~1laws/get`
  public var text: String { pointer.map { "\(file): \($0)" } ?? "\(file):\(line):\(column)" }
}

/// Why murphy could not do its job; an error of the API is a `Finding` instead.
public enum GateError: Error, Sendable, CustomStringConvertible {
  /// Wrong usage: a sentence for the user.
  case usage(String)
  /// Mistakes in files: all that were found.
  case mistakes([Diagnostic])
  /// The target cannot be reached: a sentence for the user.
  case unreachable(String)

  /// File, line, column and message, then the source line with a mark.
  public var description: String {
    switch self {
    case .usage(let sentence), .unreachable(let sentence): sentence
    case .mistakes(let diagnostics): Diagnostic.texts(of: diagnostics).joined(separator: "\n")
    }
  }

  /// The exit status of the command.
  public var exitStatus: ExitStatus {
    switch self {
    case .usage, .mistakes: .usage
    case .unreachable: .unreachable
    }
  }
}

/// The candidate nearest to `name` by edit distance, if one is near enough to be a likely correction.
///
/// Near enough: a distance of at most a third of the longer name's letters, with a minimum of one.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let typed = Array(name.lowercased().unicodeScalars)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates where candidate != name {
    let other = Array(candidate.lowercased().unicodeScalars)
    let distance = editDistance(typed, other)
    guard distance <= max(max(typed.count, other.count) / 3, 1), distance < max(other.count, 1) else { continue }
    if best == nil || (distance, candidate) < (best!.distance, best!.candidate) { best = (distance, candidate) }
  }
  return best?.candidate
}

/// ` Did you mean "listLaws"?`, after a sentence; empty if no candidate is near.
package func didYouMean(_ name: String, among candidates: some Sequence<String>) -> String {
  nearestName(to: name, among: candidates).map { " Did you mean \"\($0)\"?" } ?? ""
}

/// `. Did you mean "listLaws"?`, for the end of a sentence without its full stop; empty if no candidate is near.
package func suggestion(for name: String, among candidates: some Sequence<String>) -> String {
  let question = didYouMean(name, among: candidates)
  return question.isEmpty ? "" : "." + question
}

/// Insertions, deletions, substitutions and swaps of adjacent letters (optimal string alignment), O(n·m).
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i] + [Int](repeating: 0, count: b.count)
    for j in 1...b.count {
      let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      row[j] = min(last[j] + 1, row[j - 1] + 1, substitution)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], beforeLast[j - 2] + 1) }
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}

extension StringProtocol {
  /// `bookId` → `BookId`
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

  /// The text, or its beginning and an ellipsis. `SecretMask` knows the beginning of a secret by the ellipsis after it,
  /// so every text of a response, a request or a user is cut with this function.
  package func shortened(to most: Int) -> String { count > most ? prefix(most) + "…" : String(self) }
}

extension String {
  /// A sentence as part of another one.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// Replacements by Unicode scalar, for every string that a machine reads.
///
/// `String.replacing` compares characters. A quote with a combining mark after it is one character, which does not
/// equal a quote (UAX #29). Strings for a machine must be escaped, split or searched with these functions or as bytes.
extension String {
  /// The string with `old` replaced wherever its scalars occur.
  package func replacingScalars(_ old: String, with new: String) -> String {
    let (bytes, old) = (Array(utf8), Array(old.utf8))
    var (text, next) = ([UInt8](), 0)
    // In UTF-8 no scalar begins within another one (RFC 3629 §3).
    while let place = bytes.place(of: old, from: next) {
      text += bytes[next..<place.lowerBound]
      text += new.utf8
      next = place.upperBound
    }
    return next == 0 ? self : String(decoding: text + bytes[next...], as: UTF8.self)
  }

  /// The string with some scalars replaced according to `table`.
  package func escaping(_ table: [Unicode.Scalar: String]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let escape = table[scalar] { text += escape.unicodeScalars } else { text.append(scalar) }
    }
    return String(text)
  }

  /// The lines, which end only with LF, CR LF or CR; the last one may be empty.
  package var textLines: [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var endsWithReturn = false
    for scalar in unicodeScalars {
      if scalar == "\n", endsWithReturn {
        endsWithReturn = false
        continue
      }
      endsWithReturn = scalar == "\r"
      if scalar == "\n" || scalar == "\r" {
        lines.append(String(line))
        line = String.UnicodeScalarView()
      } else {
        line.append(scalar)
      }
    }
    return lines + [String(line)]
  }
}

extension [UInt8] {
  /// The first position of `wanted` from an index on, before `end` if it is given; nil if `wanted` is empty.
  package func place(of wanted: [UInt8], from start: Int, before end: Int? = nil) -> Range<Int>? {
    let end = end ?? count
    guard !wanted.isEmpty, start < end else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var next = start
      while next + wanted.count <= end,
        let found = memchr(base + next, CInt(wanted[0]), end - next - wanted.count + 1)
      {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, wanted, wanted.count) == 0 { return place..<(place + wanted.count) }
        next = place + 1
      }
      return nil
    }
  }
}
