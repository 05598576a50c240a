import MurphyModel

extension ResponseJudge {
  /// All items of the contract that can be covered, in its order, with their counts from this judge. Judges of the same
  /// contract return the same items in the same order.
  package func coverage() -> [CoverageItem] {
    var items: [CoverageItem] = []
    for (index, operation) in contract.operations.enumerated() where operation.isDocumented {
      let slot = operations[index]
      items.append(CoverageItem(kind: "operation", operation: operation.id, name: operation.id, count: slot.count))
      for response in slot.responses { items += response.coverage(operation.id) }
    }
    return items
  }
}

extension ResponseSlot {
  fileprivate func coverage(_ operation: String) -> [CoverageItem] {
    let status = promise.status.text
    func item(_ kind: String, _ name: String, _ count: Int) -> CoverageItem {
      CoverageItem(kind: kind, operation: operation, name: name, count: count)
    }
    var items = [item("status", status, count)]
    for media in media { items.append(item("media-type", "\(status) \(media.promise.range.text)", media.count)) }
    for header in headers { items.append(item("header", "\(status) \(header.promise.name)", header.count)) }
    for media in media {
      guard let coverage = media.coverage else { continue }
      items += zip(coverage.catalog.items, coverage.counts).map { item($0.kind, "\(status) \($0.name)", $1) }
    }
    return items
  }
}

extension [CoverageItem] {
  /// Adds the counts of another judge of the same contract, item by item.
  package mutating func merge(_ other: [CoverageItem]) {
    guard !isEmpty else {
      self = other
      return
    }
    for (index, item) in other.enumerated() where index < count && self[index].name == item.name {
      self[index].count += item.count
    }
  }
}

/// Counts rate-limit headers of responses that the documented response does not declare.
///
/// Allocates on the first occurrence of a name only.
final class UndeclaredHeaders {
  struct Entry {
    let lowercased: [UInt8]
    /// As spelled in the first response.
    let name: String
    /// The value in the first response.
    let example: String
    /// Responses that had it.
    var responses = 0
    fileprivate var lastResponse = -1
  }

  private(set) var entries: [Entry] = []

  /// - Parameter response: the response's number, so that a header on several lines counts once.
  func count(_ line: FieldTable.Line, response: Int) {
    let index = entries.firstIndex { ASCIICase.matches(line.name, $0.lowercased) } ?? add(line)
    guard let index, entries[index].lastResponse != response else { return }
    entries[index].lastResponse = response
    entries[index].responses += 1
  }

  private func add(_ line: FieldTable.Line) -> Int? {
    // Bounds the memory if a server generates header names.
    guard entries.count < 20 else { return nil }
    let name = String(decoding: line.name, as: UTF8.self)
    entries.append(
      Entry(
        lowercased: Array(name.lowercased().utf8), name: name,
        example: String(decoding: line.value, as: UTF8.self).shortened(to: 60)))
    return entries.count - 1
  }
}

/// The documented query parameters that the requests of one operation used.
///
/// Examines every request until all were seen: a sample is not enough to report "never sent".
final class ParameterUse {
  private(set) var unused: [String]
  private var names: [[UInt8]]

  init(_ operation: Contract.Operation) {
    // Names that are sent percent-encoded, and objects whose members are sent under their own names, are not searched
    // for.
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
  /// True if its schema may describe an object. A schema without a type may.
  fileprivate var mayBeObject: Bool { schema?.located.types?.contains("object") ?? true }
}
