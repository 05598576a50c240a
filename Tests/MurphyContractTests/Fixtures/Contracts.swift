import MurphyContract

/// Small contracts for tests.
enum Contracts {
  /// A document with `paths` (indented by two) and the rest of the document after it.
  static func document(_ paths: String, version: String = "3.1.0", rest: String = "") -> String {
    """
    openapi: \(version)
    info: { title: Test, version: "1" }
    paths:
    \(paths)
    \(rest)
    """
  }

  static func load(
    _ paths: String, version: String = "3.1.0", rest: String = "", options: JudgeOptions = JudgeOptions()
  ) throws -> Contract {
    try Contract.parse(document(paths, version: version, rest: rest), file: "/test/openapi.yaml", options: options)
  }
}
