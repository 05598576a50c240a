/// What a validation writes to: one for each thread. Not Sendable.
public final class SchemaScratch {
  public init() {}
}
