import Foundation
import MurphyModel
import MurphySchema

/// Removes the secrets from requests and responses: URLs, forms, multipart bodies, JSON, XML and other text. These may
/// be nested.
struct ContentMask {
  private(set) var book: SecretBook

  init(_ words: SecretBook.Words) { book = SecretBook(words) }

  /// A sentence or a line of code for a message, with asterisks in place of secrets.
  static func shown(_ text: String) -> String {
    var mask = ContentMask(.stars)
    return mask.text(text, .request)
  }

  /// The maximum depth of text within text.
  private static let deepest = 8

  /// The text without secrets. Its format is recognised from its content.
  mutating func content(_ text: String, _ place: SecretName.Place = .request, depth: Int = 0) -> String {
    guard depth < Self.deepest, text.utf8.count >= 4 else { return self.text(text, place) }
    switch text.utf8.first(where: { $0 > 0x20 && $0 < 0x80 }) {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      guard let value = try? JSONValue.parse(Array(text.utf8)) else { break }
      let masked = json(value, named: "", place, depth: depth)
      return masked == value ? text : masked.text
    // `Link: <https://…>; rel=next` (RFC 8288)
    case UInt8(ascii: "<") where text.hasPrefix("<http"): return url(text, place, depth: depth)
    case UInt8(ascii: "<"): return XMLMask.masked(text, with: &self, place, depth: depth)
    default: break
    }
    if Self.isURL(text) { return url(text, place, depth: depth) }
    guard Self.isForm(text) else { return self.text(text, place) }
    return form(text, place, depth: depth)
  }

  mutating func word(_ secret: String, named name: String?, isSpread: Bool = true) -> String {
    book.word(for: secret, named: name, isSpread: isSpread)
  }

  /// A value without secrets. The whole value is masked if its name is a secret name.
  mutating func value(
    _ value: String, named name: String, _ place: SecretName.Place = .request, depth: Int = 0
  ) -> String {
    SecretName.isSecret(name, value, in: place) ? word(value, named: name) : content(value, place, depth: depth + 1)
  }

  /// A text of unknown format.
  mutating func text(_ text: String, _ place: SecretName.Place) -> String {
    guard text.utf8.count >= 4 else { return text }
    let bytes = Array(book.replaced(text).utf8)
    var result: [UInt8] = []
    var copied = 0
    for spot in SecretSpots.find(in: bytes, place) {
      let written = String(decoding: bytes[spot.range], as: UTF8.self)
      result += bytes[copied..<spot.range.lowerBound]
      let secret = written.removingPercentEncoding ?? written
      result += word(secret, named: spot.name).utf8
      // Each line of a private key is a secret of its own.
      for line in secret.components(separatedBy: "\n") where line != secret && !line.hasPrefix("-----") {
        _ = word(line, named: spot.name)
      }
      copied = spot.range.upperBound
    }
    return String(decoding: result + bytes[copied...], as: UTF8.self)
  }
}

// MARK: URLs and forms

extension ContentMask {
  private static func isURL(_ text: String) -> Bool {
    guard text.hasPrefix("/") || text.hasPrefix("http://") || text.hasPrefix("https://") else { return false }
    return text.utf8.allSatisfy { $0 > 0x20 }
  }

  private static func isForm(_ text: String) -> Bool {
    guard text.utf8.allSatisfy({ $0 > 0x20 && !"<>{}\"".utf8.contains($0) }) else { return false }
    return text.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).allSatisfy { pair in
      pair.firstIndex(of: UInt8(ascii: "=")).map { $0 > pair.startIndex } ?? false
    }
  }

  private mutating func form(_ text: String, _ place: SecretName.Place, depth: Int) -> String {
    // A secret may contain the separator of names and values, such as the padding of base64.
    book.replaced(text).utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .map { pair(String($0) ?? "", place, depth: depth) }.joined(separator: "&")
  }

  /// A URL, or its part from the path on. Secret parameters of path, query and fragment are found by their names.
  mutating func url(_ text: String, _ place: SecretName.Place = .request, depth: Int = 0) -> String {
    let text = book.replaced(text)
    guard let mark = text.utf8.firstIndex(where: { "?#;".utf8.contains($0) }) else { return self.text(text, place) }
    var result = self.text(String(text[..<mark]), place)
    var pair: [UInt8] = []
    for byte in text[mark...].utf8 {
      guard "?#&;<>, ".utf8.contains(byte) else {
        pair.append(byte)
        continue
      }
      result += self.pair(String(decoding: pair, as: UTF8.self), .request, depth: depth)
      result.unicodeScalars.append(Unicode.Scalar(byte))
      pair = []
    }
    return result + self.pair(String(decoding: pair, as: UTF8.self), .request, depth: depth)
  }

  /// `name=value`, percent-encoded.
  private mutating func pair(_ pair: String, _ place: SecretName.Place, depth: Int) -> String {
    guard let mark = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return text(pair, place) }
    let name = String(pair[..<mark])
    let plain = PercentEncoding.decode(form: pair[pair.utf8.index(after: mark)...])
    let plainName = name.removingPercentEncoding ?? name
    guard SecretName.isSecret(plainName, plain, in: place) else {
      let masked = content(plain, place, depth: depth + 1)
      return masked == plain ? pair : name + "=" + written(masked)
    }
    return name + "=" + word(plain, named: plainName)
  }

  /// Form-encoded; a scenario's expressions stay unchanged.
  private func written(_ text: String) -> String {
    book.words == .variables ? text : PercentEncoding.encode(text, keepingReserved: false)
  }

  /// The parts of a `multipart/form-data` body. Secret parts are found by their names.
  ///
  /// - Returns: nil if the body has no parts.
  mutating func multipart(_ body: String, _ type: String, _ place: SecretName.Place) -> String? {
    guard let boundary = RecordedPart.boundary(of: body, contentType: type) else { return nil }
    let bytes = Array(body.utf8)
    let delimiter = Array(("--" + boundary).utf8)
    var result: [UInt8] = []
    var start = 0
    for range in bytes.ranges(of: delimiter) + [bytes.count..<bytes.count] {
      result += part(bytes[start..<range.lowerBound], place) + bytes[range]
      start = range.upperBound
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func part(_ part: ArraySlice<UInt8>, _ place: SecretName.Place) -> [UInt8] {
    let crlf = Array("\r\n\r\n".utf8)
    guard let blank = part.firstRange(of: crlf) ?? part.firstRange(of: crlf.filter { $0 == 0x0A }) else {
      return Array(part)
    }
    let head = String(decoding: part[..<blank.lowerBound], as: UTF8.self)
    let end = part[blank.upperBound...].lastIndex { $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? blank.upperBound
    let content = String(decoding: part[blank.upperBound..<end], as: UTF8.self)
    let masked = value(content, named: RecordedPart.name(in: head) ?? "", place)
    return Array((text(head, place)).utf8) + part[blank] + masked.utf8 + part[end...]
  }
}

// MARK: JSON

extension ContentMask {
  mutating func json(
    _ value: JSONValue, named name: String, _ place: SecretName.Place, depth: Int = 0
  ) -> JSONValue {
    switch value {
    case .object(let members):
      let label = Self.label(of: members, place)
      var copy = JSONObject()
      for (key, value) in members {
        let its = Self.name(of: key, in: name, label)
        copy[key.utf8.count >= 16 ? book.replaced(key) : key] = json(value, named: its, place, depth: depth)
      }
      return .object(copy)
    case .array(let items):
      return .array(items.map { json($0, named: name, place, depth: depth) })
    case .string(let string): return .string(self.value(string, named: name, place, depth: depth))
    case .number(let number):
      guard SecretName.isSecret(name, number.text, in: place) else { return value }
      return .string(word(number.text, named: name, isSpread: false))
    case .bool, .null: return value
    }
  }

  /// The name that decides if a field is a secret.
  ///
  /// - Parameters:
  ///   - outer: the name of the enclosing object.
  ///   - label: the name of its value, as the object contains it.
  static func name(of key: String, in outer: String, _ label: String?) -> String {
    if values.contains(key.lowercased()) { return label ?? (outer.isEmpty ? key : outer) }
    return label != nil && labels.contains(key) ? "" : key
  }

  /// Fields that name the value in another field, as in `{"name": "password", "value": "…"}`.
  private static let labels: Set = ["name", "key", "id", "field", "header", "param", "parameter", "property", "label"]
  /// Fields whose value is named by another field, or by the enclosing field.
  private static let values: Set = [
    "value", "val", "values", "content", "data", "text", "#text", "_text", "$", "raw", "default",
  ]

  /// The secret name of an object's value; nil if the object is not a pair of name and value.
  static func label(of members: JSONObject, _ place: SecretName.Place) -> String? {
    guard members.contains(where: { values.contains($0.key.lowercased()) }) else { return nil }
    return members.lazy.filter { labels.contains($0.key) }.compactMap(\.value.string).first {
      $0.utf8.count <= 64 && SecretName.mayBeSecret($0, in: place)
    }
  }
}

/// The possible decodings of a text, with the place of each byte in the text.
struct DecodedText {
  private(set) var bytes: [UInt8] = []
  /// By byte: the range of its notation in the text.
  private var places: [Range<Int>] = []

  /// Shorter base64 cannot contain a secret that is searched for.
  private static let shortestRun = 11

  /// Percent-encoding and escapes of JSON and HTML are decoded. `+` is read as itself and as a space. Base64 is decoded
  /// from each of its four first characters. Only the possible decodings are returned.
  static func views(of text: [UInt8]) -> [DecodedText] {
    var views: [DecodedText] = []
    let isEscaped = text.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "&") }
    if isEscaped { views.append(unescaped(text, spaces: false)) }
    if text.contains(UInt8(ascii: "+")) { views.append(unescaped(text, spaces: true)) }
    let runs = runs(in: text)
    if !runs.isEmpty { views += (0..<4).map { decoded(text, runs, from: $0) } }
    return views
  }

  /// The range of the notation of decoded bytes in the text.
  func source(of range: Range<Int>) -> Range<Int> {
    places[range.lowerBound].lowerBound..<places[range.upperBound - 1].upperBound
  }

  private mutating func append(_ byte: UInt8, _ place: Range<Int>) {
    bytes.append(byte)
    places.append(place)
  }

  private static func unescaped(_ text: [UInt8], spaces: Bool) -> DecodedText {
    var view = DecodedText()
    var index = 0
    while index < text.count {
      let byte = text[index]
      var unit: (bytes: [UInt8], length: Int) = ([byte], 1)
      switch byte {
      case UInt8(ascii: "+") where spaces: unit.bytes = [0x20]
      case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"):
        unit = EncodedUnit.read(text, at: index).first { $0.length > 1 } ?? unit
      default: break
      }
      for byte in unit.bytes { view.append(byte, index..<(index + unit.length)) }
      index += unit.length
    }
    return view
  }

  private static func runs(in text: [UInt8]) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = 0
    for index in 0...text.count where index == text.count || digits[Int(text[index])] < 0 {
      if index - start >= shortestRun { runs.append(start..<index) }
      start = index + 1
    }
    return runs
  }

  private static func decoded(_ text: [UInt8], _ runs: [Range<Int>], from offset: Int) -> DecodedText {
    var view = DecodedText()
    for run in runs {
      var bits = 0
      var count = 0
      for index in (run.lowerBound + offset)..<run.upperBound {
        bits = (bits << 6 | Int(digits[Int(text[index])])) & 0xFFFF
        count += 6
        guard count >= 8 else { continue }
        count -= 8
        view.append(UInt8(bits >> count & 0xFF), (index - 1)..<(index + 1))
      }
      // A secret does not continue from one run to the next.
      view.append(0, run.upperBound..<run.upperBound)
    }
    return view
  }

  /// By character: its six bits in base64 (RFC 4648, both alphabets); -1 for other characters.
  private static let digits: [Int8] = {
    var digits = [Int8](repeating: -1, count: 256)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for (value, character) in alphabet.enumerated() { digits[Int(character)] = Int8(value) }
    digits[Int(UInt8(ascii: "-"))] = 62
    digits[Int(UInt8(ascii: "_"))] = 63
    return digits
  }()
}
