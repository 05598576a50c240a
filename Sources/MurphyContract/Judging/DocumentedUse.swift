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

/// Which documented query parameters the requests of one operation had.
///
/// Looks at every request until all were seen: "never sent" must not rest on a sample.
final class ParameterUse {
  private(set) var unused: [String]
  private var names: [[UInt8]]

  init(_ operation: Contract.Operation) {
    // A name that is sent percent-encoded, or an object whose members are sent by their own names, is not looked for.
    unused = operation.parameters.filter { parameter in
      parameter.location == .query && parameter.contentType == nil
        && !(parameter.style == .form && parameter.explode && parameter.mayBeObject)
        && parameter.name.utf8.allSatisfy(PercentEncoding.isUnreserved)
    }
    .map(\.name)
    names = unused.map { Array($0.utf8) }
  }

  func observe(_ target: String) {
    guard !names.isEmpty else { return }
    let query = target.utf8.drop { $0 != UInt8(ascii: "?") }
    guard !query.isEmpty else { return }
    for part in query.dropFirst().split(separator: UInt8(ascii: "&")) {
      let name = part.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "%") }
      guard let index = names.firstIndex(where: { name.elementsEqual($0) }) else { continue }
      names.remove(at: index)
      unused.remove(at: index)
    }
  }
}

extension Contract.Parameter {
  /// Whether its schema may describe an object, as one without a type may.
  fileprivate var mayBeObject: Bool { schema?.located.types?.contains("object") ?? true }
}
