/// A mistake in a file that a person wrote: the message, the position, and the nearest valid value.
public struct Diagnostic: Error, Sendable, Hashable {
  /// A file with an error is rejected; one with warnings alone is used.
  package enum Severity: String, Sendable, Codable { case error, warning }

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

  public var description: String {
    switch self {
    case .usage(let sentence), .unreachable(let sentence): sentence
    case .mistakes(let diagnostics): diagnostics.map(\.text).joined(separator: "\n")
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
}

extension String {
  /// A sentence as part of another one.
  package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
