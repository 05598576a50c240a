/// Which murphy this is.
public enum ProductVersion {
  /// Semantic version of the product (semver.org).
  public static let text = "0.1.0"

  /// The `User-Agent` of requests that name none of their own.
  package static let userAgent = "murphy/" + text
}
