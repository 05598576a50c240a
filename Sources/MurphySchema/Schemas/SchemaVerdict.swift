/// What a validation ends in. Never a pass without a check: what could not be decided says so.
public enum SchemaVerdict: Sendable, Hashable {
  case valid
  case invalid
  case unchecked(String)
}
