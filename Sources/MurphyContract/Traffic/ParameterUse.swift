import MurphyModel

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
