import MurphyModel

/// Counts rate-limit headers of answers that their documented response does not declare.
///
/// Allocates when a name comes for the first time, and for no answer after that.
final class UndeclaredHeaders {
  struct Entry {
    let lowercased: [UInt8]
    /// As the first answer spelled it.
    let name: String
    /// The first answer's value.
    let example: String
    /// Answers that had it.
    var answers = 0
    fileprivate var lastAnswer = -1
  }

  private(set) var entries: [Entry] = []

  /// - Parameter answer: the answer's number, so that a header on several lines counts once.
  func count(_ line: FieldTable.Line, answer: Int) {
    let index = entries.firstIndex { ASCIICase.matches(line.name, $0.lowercased) } ?? add(line)
    guard let index, entries[index].lastAnswer != answer else { return }
    entries[index].lastAnswer = answer
    entries[index].answers += 1
  }

  private func add(_ line: FieldTable.Line) -> Int? {
    // A server that makes up names does not fill the memory.
    guard entries.count < 20 else { return nil }
    let name = String(decoding: line.name, as: UTF8.self)
    entries.append(
      Entry(
        lowercased: Array(name.lowercased().utf8), name: name,
        example: String(decoding: line.value.prefix(60), as: UTF8.self)))
    return entries.count - 1
  }
}
