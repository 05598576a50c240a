extension Finding {
  /// Worst first: by severity, then by how often, then by when.
  public static func isWorse(_ left: Finding, _ right: Finding) -> Bool {
    if left.severity != right.severity { return left.severity > right.severity }
    if left.count != right.count { return left.count > right.count }
    if left.firstSeen != right.firstSeen { return left.firstSeen < right.firstSeen }
    return left.fingerprint < right.fingerprint
  }
}
