extension Finding {
  /// `listLaws: status 500 is not documented`; the message alone for what is not of one operation.
  public var headline: String { (operation.map { "\($0): " } ?? "") + message }

  /// Worst first: an outage, which explains others; then by severity, by how often, and by when.
  public static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
    let (leads, follows) = (left.kind == .transportOutage, right.kind == .transportOutage)
    if leads != follows { return leads }
    if left.severity != right.severity { return left.severity > right.severity }
    if left.count != right.count { return left.count > right.count }
    if left.firstSeen != right.firstSeen { return left.firstSeen < right.firstSeen }
    return left.fingerprint < right.fingerprint
  }
}
