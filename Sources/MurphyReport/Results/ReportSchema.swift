/// The published JSON Schemas (2020-12) of what murphy writes, from `Schemas`. Closed: a key that they do not name is a
/// mistake.
package enum ReportSchema {
  /// Of `result.json`.
  package static let result = text(PackageResources.result_json)
  /// Of `compare.json`.
  package static let comparison = text(PackageResources.compare_json)
  /// Of `capacity.json`.
  package static let capacity = text(PackageResources.capacity_json)

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
