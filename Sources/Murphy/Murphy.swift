/// The library's own facts.
public enum Murphy {
  /// Semantic version of the product (semver.org).
  public static let version = "0.1.0"
}
