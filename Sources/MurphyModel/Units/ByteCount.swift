/// A size in bytes; `8MB` is 8,000,000 and `8MiB` is 8,388,608 (IEC 80000-13).
package struct ByteCount: Sendable, Hashable, Comparable, Codable {
  package var bytes: Int

  package init(_ bytes: Int) { self.bytes = bytes }

  package static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }

  /// `315 B`, `8.1 KB`, `8 MB`
  package var text: String {
    let units = ["B", "KB", "MB", "GB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    let rounded = (value * 10).rounded() / 10
    return (rounded == rounded.rounded() ? String(Int(saturating: rounded)) : String(rounded)) + " " + units[unit]
  }
}
