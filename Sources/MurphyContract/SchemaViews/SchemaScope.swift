/// All schemas that speak of one place of an instance.
struct SchemaScope {
  /// Those that hold in any case: the schema itself, what it refers to, its `allOf`.
  var parts: [Located] = []
  /// Those that hold for some instances only.
  var choices: [SchemaChoice] = []
  /// Something in it cannot be followed (`$dynamicRef`, a reference to nowhere): it may document anything.
  var isOpaque = false
}

/// Branches of `oneOf` or `anyOf`, or the schemas behind a condition.
struct SchemaChoice {
  let keyword: String
  let branches: [Located]
}
