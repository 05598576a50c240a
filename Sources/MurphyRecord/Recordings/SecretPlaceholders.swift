import MurphyDraft

/// Gives each secret of a recording a placeholder: equal ones for equal secrets, so that what an answer gave and a later
/// request sent stays the same text in both.
///
/// A secret is known by the name under which it stands, or by its look (`RecordedSecrets`). One that was seen under such a
/// name is replaced wherever else it stands, too, if it is long enough not to be there by chance.
struct SecretPlaceholders {
  private var numbers: [String: Int] = [:]
  /// Secrets that are replaced wherever they stand, by their first bytes; the longest of them first.
  private var spread: [UInt64: [Secret]] = [:]

  private struct Secret {
    var bytes: [UInt8]
    var number: Int
  }

  /// Shorter texts may stand anywhere by chance.
  private static let shortest = 8

  /// - Parameter isSpread: it may stand elsewhere under another name.
  mutating func placeholder(for secret: String, isSpread: Bool = true) -> String {
    guard !secret.isEmpty, !RecordedSecrets.isPlaceholder(secret) else { return secret }
    let number = numbers[secret] ?? numbers.count + 1
    numbers[secret] = number
    if isSpread { add(Array(secret.utf8), number) }
    return RecordedSecrets.placeholder(number)
  }

  private mutating func add(_ bytes: [UInt8], _ number: Int) {
    guard bytes.count >= Self.shortest, let key = Self.key(bytes, 0) else { return }
    guard spread[key]?.contains(where: { $0.bytes == bytes }) != true else { return }
    spread[key, default: []].append(Secret(bytes: bytes, number: number))
    spread[key]?.sort { $0.bytes.count > $1.bytes.count }
  }

  /// The text without any secret that is known by now.
  ///
  /// Cost: one look-up for each byte.
  func replaced(_ text: String) -> String {
    guard !spread.isEmpty, text.utf8.count >= Self.shortest else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    var position = 0
    while let key = Self.key(bytes, position) {
      guard let secret = spread[key]?.first(where: { bytes[position...].starts(with: $0.bytes) }) else {
        position += 1
        continue
      }
      result += bytes[copied..<position]
      result += Array(RecordedSecrets.placeholder(secret.number).utf8)
      position += secret.bytes.count
      copied = position
    }
    return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  /// The eight bytes from `position` on.
  private static func key(_ bytes: [UInt8], _ position: Int) -> UInt64? {
    guard position + shortest <= bytes.count else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
  }
}
