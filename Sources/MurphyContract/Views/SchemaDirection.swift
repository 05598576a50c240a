/// Which way a body goes; `readOnly` and `writeOnly` mean different things for each.
package enum SchemaDirection: Sendable {
  case request, response

  /// The keyword whose properties do not belong into this direction.
  package var foreignKeyword: String { self == .request ? "readOnly" : "writeOnly" }
}
