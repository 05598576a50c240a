import MurphyJSON

/// What the names in an expression mean, where it stands.
protocol ExpressionNames: AnyObject {
  /// - Parameter guarded: within `default(…)`, where a name may still be unset.
  func meaning(of name: String, guarded: Bool) -> Result<Expression, NameMistake>

  /// An expression reads the session's last answer beyond its status.
  func readAnswer()

  /// The columns of the feed that a variable holds a row of; nil for any other variable.
  func columns(of variable: Variable) -> [String]?

  /// The value of an environment variable, which is a secret.
  func environment(_ name: String, otherwise: String?) -> Result<String, NameMistake>
}

/// Why a name means nothing here.
struct NameMistake: Error, Hashable {
  var message: String
}
