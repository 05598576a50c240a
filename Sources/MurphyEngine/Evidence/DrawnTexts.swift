import Foundation
import MurphyModel
import MurphyScenario
import MurphyTransport

/// The values of a session that were drawn to be unique. A script draws them anew each time it runs: with the same
/// device a limiter would soon refuse it, and the same name would be taken.
struct DrawnTexts {
  private let texts: [[UInt8]]
  /// In the order of their first use.
  private(set) var used: [[UInt8]] = []

  /// - Parameter http: the request that is sent again; credentials that hold a drawn value in another form cannot be
  ///   drawn anew with it, so all values stay as they are.
  init(_ unique: UniqueValues, for http: HTTPRequest) {
    let parts = unique.parts
    let isEncoded = http.headers.contains { field in
      guard field.name.lowercased() == "authorization", field.value.lowercased().hasPrefix("basic "),
        let data = Data(base64Encoded: String(field.value.dropFirst("basic ".count)))
      else { return false }
      let text = String(decoding: data, as: UTF8.self)
      return parts.contains { text.contains($0) }
    }
    texts = isEncoded ? [] : parts.map { Array($0.utf8) }
  }

  /// What the script does before all else.
  var steps: [CurlScript.Step] {
    used.enumerated().map { index, text in
      .draw(Self.variable(index), text.contains(UInt8(ascii: "-")) ? .uuid : .letters(text.count))
    }
  }

  /// Literal text with the drawn values as variables.
  mutating func pieces(of bytes: [UInt8]) -> [ShellWord.Piece] {
    guard let (range, text) = first(in: bytes[...]) else { return [.bytes(bytes)] }
    let index = used.firstIndex(of: text) ?? used.endIndex
    if index == used.endIndex { used.append(text) }
    return [.bytes(Array(bytes[..<range.lowerBound])), .variable(Self.variable(index))]
      + pieces(of: Array(bytes[range.upperBound...]))
  }

  private func first(in bytes: ArraySlice<UInt8>) -> (Range<Int>, [UInt8])? {
    var first: (Range<Int>, [UInt8])?
    for text in texts {
      guard let range = bytes.firstRange(of: text), range.lowerBound < first?.0.lowerBound ?? .max else { continue }
      first = (range, text)
    }
    return first
  }

  private static func variable(_ index: Int) -> ShellVariable { ShellVariable("drawn", String(index + 1)) }
}
