import MurphyContract
import MurphyModel
import MurphySchema
import Testing

/// Whatever is written by a style can be read back by that style's rules: nothing of a value leaks into the syntax.
@Suite struct ParameterRoundTripTests {
  private static let letters = Array("ab ,;.=&?/#[]%|+~ü漢\u{1F600}\"'<>")

  @Test func `lists and objects come back from every style`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = RandomSource(seed: seed)
    func text() -> String {
      String((0..<Int.random(in: 1...6, using: &random)).map { _ in Self.letters.randomElement(using: &random)! })
    }
    for _ in 0..<2000 {
      let list = (0..<Int.random(in: 1...4, using: &random)).map { _ in text() }
      var object = JSONObject()
      for _ in list { object[text()] = .string(text()) }
      let name = text()
      for style in [ParameterStyle.matrix, .label, .simple, .form, .spaceDelimited, .pipeDelimited] {
        for explode in [false, true] {
          // These styles' separators cannot be escaped (the specification's gap), so no value has them.
          let gap: Character? =
            style == .label && explode
            ? "." : explode ? nil : style == .spaceDelimited ? " " : style == .pipeDelimited ? "|" : nil
          let list = list.map { $0.map { $0 == gap ? "x" : String($0) }.joined() }
          let pairs = object.members.map { member in
            (member.key, member.value.string ?? "")
          }.map { pair in [pair.0, pair.1].map { $0.map { $0 == gap ? "x" : String($0) }.joined() } }
          let object = JSONObject(pairs.map { ($0[0], .string($0[1])) })
          let encoder = ParameterEncoder(name: name, style: style, explode: explode)
          let decoder = StyleDecoder(name: name, style: style, explode: explode)
          let written = encoder.encode(.array(list.map(JSONValue.string)))
          #expect(decoder.list(written ?? "") == list, "seed \(seed) \(style) \(explode) \(written ?? "")")
          let members = encoder.encode(.object(object)) ?? ""
          #expect(decoder.object(members) == object, "seed \(seed) \(style) \(explode) \(members)")
        }
      }
    }
  }
}

/// Reads styles back, written against the specification's table and not against the encoder.
private struct StyleDecoder {
  let name: String
  let style: ParameterStyle
  let explode: Bool

  private var key: String { PercentEncoding.encode(name, keepingReserved: false) }

  func list(_ text: String) -> [String] { items(text, isObject: false).map { PercentEncoding.decode($0) } }

  func object(_ text: String) -> JSONObject {
    let items = items(text, isObject: true)
    var object = JSONObject()
    if explode {
      for item in items {
        let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        object[PercentEncoding.decode(pair[0])] = .string(PercentEncoding.decode(pair[1]))
      }
    } else {
      for index in stride(from: 0, to: items.count - 1, by: 2) {
        object[PercentEncoding.decode(items[index])] = .string(PercentEncoding.decode(items[index + 1]))
      }
    }
    return object
  }

  private func items(_ text: String, isObject: Bool) -> [String] {
    let (prefix, separator): (String, String) =
      switch style {
      case .matrix: explode ? (isObject ? ";" : ";\(key)=", isObject ? ";" : ";\(key)=") : (";\(key)=", ",")
      case .label: (".", explode ? "." : ",")
      case .simple: ("", ",")
      default: explode ? (isObject ? "" : "\(key)=", isObject ? "&" : "&\(key)=") : ("\(key)=", delimiter)
      }
    guard text.hasPrefix(prefix) else { return ["no \(prefix) in \(text)"] }
    return text.dropFirst(prefix.count).split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  private var delimiter: String {
    switch style {
    case .spaceDelimited: "%20"
    case .pipeDelimited: "%7C"
    default: ","
    }
  }
}
