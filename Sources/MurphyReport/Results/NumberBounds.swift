import MurphyJSON

/// How large the whole numbers of a stored result may be: reports add them, and a file can hold any. Fractions need no
/// bound, since they are only scaled and shown.
enum NumberBounds {
  /// Of counts, microseconds and seconds. Nine million of them still sum to a whole number of 64 bits.
  private static let most = 1_000_000_000_000
  /// Of bytes.
  private static let mostBytes = 1 << 53
  private static let byteNames: Set<String> = ["bytes_received", "peak_memory", "response_size"]

  /// A number that no run writes, in a sentence; nil when there is none.
  static func excess(in value: JSONValue) -> String? { excess(in: value, name: "the file") }

  private static func excess(in value: JSONValue, name: String) -> String? {
    switch value {
    case .number(let number):
      // Never added to anything.
      guard name != "seed", name != "salt", let whole = number.int else { return nil }
      let most = byteNames.contains(name) ? mostBytes : most
      return whole.magnitude <= most ? nil : "\(name) is \(number.text.prefix(40)), larger than any run can write"
    case .array(let elements):
      for element in elements { if let excess = excess(in: element, name: name) { return excess } }
    case .object(let object):
      for (key, member) in object { if let excess = excess(in: member, name: key) { return excess } }
    case .null, .bool, .string: break
    }
    return nil
  }
}
