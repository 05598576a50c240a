extension Finding {
  /// `listLaws: status 500 is not documented`; the message alone for what is not of one operation.
  public var headline: String { (operation.map { "\($0): " } ?? "") + message }

  /// The kind of the one finding that says when nothing was answered.
  public static let outage = "transport.outage"
  /// The kind of the one finding that says when nothing was answered, though what waited was answered afterwards.
  public static let stall = "transport.stalled"

  /// Worst first: an outage, which explains others; then by severity, by how often, and by when.
  public static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
    if (left.kind == outage) != (right.kind == outage) { return left.kind == outage }
    if left.severity != right.severity { return left.severity > right.severity }
    if left.count != right.count { return left.count > right.count }
    if left.firstSeen != right.firstSeen { return left.firstSeen < right.firstSeen }
    return left.fingerprint < right.fingerprint
  }
}
