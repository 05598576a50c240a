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

/// The texts of all files of a report folder, also of its sub-folders, by their relative path; empty without a folder.
func reportTexts(in folder: String) throws -> [String: String] {
  var texts: [String: String] = [:]
  for path in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder + "/" + path, isDirectory: &isFolder), !isFolder.boolValue
    else { continue }
    texts[path] = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
  }
  return texts
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
