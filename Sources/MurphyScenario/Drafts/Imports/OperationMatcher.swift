import MurphyContract

/// Finds the operation of the contract for a recorded request.
package struct OperationMatcher: Sendable {
  /// An operation whose path fits the request.
  package struct Match {
    /// The index of the operation in the contract.
    package var operation: Int
    /// Values of the path parameters, in order, as they occur in the path.
    package var values: [(name: String, value: String)]
    /// The prefix before the contract's path: the base path of a server, `/api/v1`.
    package var base = ""
  }

  private let contract: Contract
  private let shapes: [[String]]

  package init(_ contract: Contract) {
    self.contract = contract
    shapes = contract.operations.map { $0.path.split(separator: "/").map(String.init) }
  }

  /// - Parameter path: percent-encoded, with or without the base path of a server.
  package func match(_ method: String, _ path: String) -> Match? {
    let segments = path.split(separator: "/").map(String.init)
    // The shortest matching base path of a server is used.
    for base in 0...min(segments.count, 4) {
      let rest = Array(segments.dropFirst(base))
      let found = shapes.indices.compactMap { match(method, rest, $0, shapes[$0]) }
      // `/laws/top` is not `/laws/{id}`.
      if var best = found.min(by: { $0.values.count < $1.values.count }) {
        best.base = segments.prefix(base).map { "/" + $0 }.joined()
        return best
      }
    }
    // The reverse case: the contract's paths begin with segments that the recording has in its server URL.
    let found = shapes.indices.compactMap { index -> Match? in
      let hidden = shapes[index].count - segments.count
      guard hidden > 0, shapes[index].prefix(hidden).allSatisfy({ !$0.contains("{") }),
        shapes[index].suffix(segments.count).contains(where: { !$0.contains("{") })
      else { return nil }
      return match(method, segments, index, Array(shapes[index].suffix(segments.count)))
    }
    return found.min { $0.values.count < $1.values.count }
  }

  private func match(_ method: String, _ segments: [String], _ index: Int, _ shape: [String]) -> Match? {
    guard contract.operations[index].method == method.uppercased(), shape.count == segments.count else { return nil }
    var values: [(name: String, value: String)] = []
    for (part, segment) in zip(shape, segments) {
      if part.hasPrefix("{"), part.hasSuffix("}"), !part.dropFirst().dropLast().contains("{") {
        values.append((String(part.dropFirst().dropLast()), segment.removingPercentEncoding ?? segment))
      } else if part != segment {
        return nil
      }
    }
    return Match(operation: index, values: values)
  }
}
