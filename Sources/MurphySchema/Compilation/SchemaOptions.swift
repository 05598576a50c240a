/// How schemas are to be read.
public struct SchemaOptions: Sendable {
  /// Which way the data goes: OpenAPI's `readOnly` and `writeOnly` depend on it.
  public enum Direction: Sendable, Hashable { case request, response }

  /// What becomes of a keyword that is not correct (a pattern that is none, a reference that leads nowhere).
  public enum Invalid: Sendable, Hashable {
    /// Compilation fails.
    case reject
    /// Instances it applies to are unchecked, and the problem is listed. One bad schema does not take a whole
    /// document of them down.
    case unchecked
  }

  /// `format` is asserted. A metaschema with the format-assertion vocabulary asserts it in any case.
  public var formatAssertion = false
  /// `contentEncoding`, `contentMediaType`, `contentSchema` are asserted. Nil: in draft 7 only, which knew no other way.
  public var contentAssertion: Bool?
  /// Whether values are requests or answers, for `readOnly` and `writeOnly` (OpenAPI 3.0); nil judges neither.
  public var direction: Direction?
  /// What to do about keywords that are not well formed.
  public var invalidKeywords = Invalid.reject
  /// Objects may only hold what some `properties`, `patternProperties` or `additionalProperties` around them mentions.
  public var rejectsUndocumentedProperties = false

  /// The specification's defaults: `format` is an annotation.
  public init() {}
}
