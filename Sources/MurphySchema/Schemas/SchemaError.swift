/// A schema that cannot be used, with the place in its document.
public struct SchemaError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of mistake it is.
  public enum Kind: Sendable, Hashable {
    /// A keyword's value has not the form that the dialect prescribes.
    case invalidKeyword
    /// A reference that leads nowhere.
    case unresolvedReference
    /// A schema that refers to itself without ever descending into the instance.
    case infiniteLoop
    /// A dialect or vocabulary that is required and not known.
    case unknownDialect
    /// A document that could not be read or is not a schema.
    case unreadable
    /// Correct, but beyond what this validator evaluates.
    case unsupported
  }

  /// What sort of mistake it is.
  public let kind: Kind
  /// Where in which document.
  public let location: SchemaLocation
  /// What was found and what was expected, without the place.
  public let message: String

  /// A mistake in a schema.
  public init(kind: Kind, location: SchemaLocation, message: String) {
    self.kind = kind
    self.location = location
    self.message = message
  }

  public var description: String { "\(location): \(message)" }
}
