import Foundation

/// Where the repository's own files are.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  static let scenarios = root + "/scenarios/murphys-laws"
}

/// A folder that is gone when the test is over.
func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = NSTemporaryDirectory() + "murphy-tests-" + UUID().uuidString
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

/// Reads a scenario from text, as from a file beside the shipped ones.
func withScenario<Value>(_ text: String, _ body: (String) async throws -> Value) async throws -> Value {
  try await withTemporaryFolder { folder in
    let file = folder + "/scenario.yaml"
    let whole = text.replacing("CONTRACT", with: Repository.scenarios + "/openapi.yaml")
    try whole.write(toFile: file, atomically: true, encoding: .utf8)
    return try await body(file)
  }
}
