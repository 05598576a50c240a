import Foundation

/// Public test data that the tests of murphy are held to.
public enum PublicData {
  private static let repository = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../..").standardizedFileURL

  /// Test documents of the OpenAPI Specification: `pass` and `fail`.
  public static let openAPI = repository.appending(path: "Tests/Integration/Conformance/openapi")
  /// The JSON-Schema-Test-Suite: `tests` and `remotes`. `make conformance` gets it.
  public static let schemas = repository.appending(path: ".build-conformance/json-schema-test-suite")
  /// The compliance suite of JSONPath (RFC 9535). `make conformance` gets it.
  public static let paths = repository.appending(path: ".build-conformance/jsonpath/cts.json")
}
