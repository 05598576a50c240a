import MurphyModel

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
