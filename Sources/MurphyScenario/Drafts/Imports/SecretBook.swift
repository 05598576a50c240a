import MurphyModel

/// The secrets found in a file, with a replacement word for each. Equal secrets have equal words, so a value in a
/// response stays equal to the value in a later request.
///
/// A secret that is too long to match by chance is also replaced at all other places, including encoded ones.
struct SecretBook {
  /// The replacement of a secret.
  enum Words: Sendable {
    /// `murphy-secret-1`, in recordings.
    case placeholders
    /// `${env(MURPHY_PASSWORD)}`, in scenarios.
    case variables
    /// `***`, in messages.
    case stars
  }

  let words: Words
  private(set) var variables: Set<String> = []
  private var numbers: [String: Int] = [:]
  /// Secrets that are replaced at all places, by their first bytes; the longest first.
  private var spread: [UInt64: [Secret]] = [:]

  private struct Secret {
    var bytes: [UInt8]
    var word: String
  }

  /// Shorter strings can match by chance.
  private static let shortest = 8
  /// The maximum bytes compared for each byte of a text, and for each text. Above this maximum, the rest of the text is
  /// replaced: such a text was built to resemble a secret many times.
  private static let work = (each: 32, all: 200_000)

  init(_ words: Words) { self.words = words }

  /// - Parameters:
  ///   - name: the name under which it was found.
  ///   - isSpread: true if it may occur elsewhere under another name.
  mutating func word(for secret: String, named name: String?, isSpread: Bool = true) -> String {
    guard !secret.isEmpty else { return secret }
    let word: String
    switch words {
    case .stars: return SecretMask.mask
    case .placeholders:
      guard !RecordedSecrets.isPlaceholder(secret) else { return secret }
      let number = numbers[secret] ?? numbers.count + 1
      numbers[secret] = number
      word = RecordedSecrets.placeholder(number)
    case .variables:
      // It is already an expression.
      if secret.hasPrefix("${env(") { return secret }
      let variable = RecordedSecrets.variable(name.flatMap { $0.isEmpty ? nil : $0 } ?? "secret")
      variables.insert(variable)
      word = "${env(\(variable))}"
    }
    // A variable of a tool or of the scenario is not a secret.
    let isVariable = ["{{", "${"].contains { secret.utf8.firstRange(of: $0.utf8) != nil }
    if isSpread, !isVariable { add(Array(secret.utf8), word) }
    return word
  }

  private mutating func add(_ bytes: [UInt8], _ word: String) {
    guard bytes.count >= Self.shortest, let key = Self.key(bytes, 0) else { return }
    guard spread[key]?.contains(where: { $0.bytes == bytes }) != true else { return }
    spread[key, default: []].append(Secret(bytes: bytes, word: word))
    spread[key]?.sort { $0.bytes.count > $1.bytes.count }
  }

  /// The text without any secret known so far, in any encoding.
  ///
  /// Cost: one look-up for each byte of the text and of its possible decodings.
  func replaced(_ text: String) -> String {
    guard !spread.isEmpty, text.utf8.count >= Self.shortest else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var copied = 0
    for match in matches(in: bytes, depth: 3).sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where match.range.lowerBound >= copied {
      result += bytes[copied..<match.range.lowerBound]
      result += match.word.utf8
      copied = match.range.upperBound
    }
    return copied == 0 ? text : String(decoding: result + bytes[copied...], as: UTF8.self)
  }

  private func matches(in bytes: [UInt8], depth: Int) -> [(range: Range<Int>, word: String)] {
    var found: [(range: Range<Int>, word: String)] = []
    var position = 0
    var left = Self.work.all + Self.work.each * bytes.count
    while let key = Self.key(bytes, position) {
      if left < 0, let first = spread.values.first?.first {
        found.append((position..<bytes.count, first.word))
        break
      }
      if let secret = spread[key]?.first(where: { Self.holds(bytes, position, $0.bytes, &left) }) {
        found.append((position..<(position + secret.bytes.count), secret.word))
        position += secret.bytes.count
      } else {
        position += 1
      }
    }
    guard depth > 0 else { return found }
    for view in DecodedText.views(of: bytes) {
      for match in matches(in: view.bytes, depth: depth - 1) {
        found.append((view.source(of: match.range), match.word))
      }
    }
    return found
  }

  private static func holds(_ bytes: [UInt8], _ position: Int, _ secret: [UInt8], _ left: inout Int) -> Bool {
    guard position + secret.count <= bytes.count else { return false }
    var index = 0
    while index < secret.count, bytes[position + index] == secret[index] { index += 1 }
    left -= index
    return index == secret.count
  }

  /// The eight bytes from `position`.
  private static func key(_ bytes: [UInt8], _ position: Int) -> UInt64? {
    guard position + shortest <= bytes.count else { return nil }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: UInt64.self) }
  }
}

/// The replacements for the secrets of a recording: no scenario file may contain secrets.
enum RecordedSecrets {
  /// The replacement of the `number`th secret in a recording by murphy. Import treats it as a credential.
  static func placeholder(_ number: Int) -> String { "murphy-secret-\(number)" }

  static func isPlaceholder(_ text: String) -> Bool {
    let start = "murphy-secret-"
    return text.hasPrefix(start) && text.utf8.count > start.utf8.count
      && text.utf8.dropFirst(start.utf8.count).allSatisfy { 0x30...0x39 ~= $0 }
  }

  /// `MURPHY_PASSWORD`
  static func variable(_ name: String) -> String {
    "MURPHY_" + name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? String($0) : "_" }.joined()
  }
}
