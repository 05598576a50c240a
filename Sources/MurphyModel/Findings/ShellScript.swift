/// Shell commands that reproduce a finding, as text that can be pasted into a POSIX shell.
///
/// The text has a type of its own because secrets must be masked word by word: a replacement across a quote would move
/// the rest of a word to a place where a shell expands it.
public struct ShellScript: Sendable, Hashable, CustomStringConvertible {
  /// The commands.
  public let text: String

  package init(_ text: String) { self.text = text }

  /// The commands.
  public var description: String { text }

  /// The condition that ends a repetition early.
  package enum Ending {
    case never
    /// A response with this status; also a request without a response, and an unset variable.
    case status(Int)
    /// A request without a response.
    case failure
  }

  /// The script repeated at most this many times, one after the other.
  package func repeated(_ times: Int, until ending: Ending = .never) -> ShellScript {
    if times < 2 { return self }
    let turn =
      switch ending {
      case .never: text
      case .failure: "\(text) || break"
      case .status(let status):
        "REPLY=$(\(text)) || break; printf '%s\\n' \"$REPLY\"; "
          + "case \"$REPLY\" in *'HTTP/'[0-9.]*' \(status)'*) break ;; esac"
      }
    return ShellScript("for i in $(seq \(times)); do \(turn); done")
  }

  /// The script after a note for the reader.
  package func noting(_ note: String) -> ShellScript {
    ShellScript(": \(ShellWord(note).quoted); \(text)")
  }
}

/// A JSON string.
extension ShellScript: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

extension ShellScript: ExpressibleByStringInterpolation {
  /// Creates a script from a literal in the source code.
  public init(stringLiteral value: String) { text = value }
}

extension SecretMask {
  /// The script without the secrets in its quoted words. Each word is unquoted, masked and quoted again.
  package func masked(_ script: ShellScript) -> ShellScript {
    if isEmpty { return script }
    var reader = ShellReader(Array(script.text.utf8))
    var text = ""
    while let part = reader.next() {
      switch part {
      case .syntax(let bytes): text += String(decoding: bytes, as: UTF8.self)
      case .word(let notation, let value):
        let masked = self.bytes(masking: value, isCut: false)
        text += masked == value ? String(decoding: notation, as: UTF8.self) : ShellWord([.bytes(masked)]).quoted
      case .format(let notation, let value):
        let masked = self.bytes(masking: value, isCut: false)
        text += masked == value ? String(decoding: notation, as: UTF8.self) : "'" + ShellCharacter.format(masked) + "'"
      }
    }
    return ShellScript(text)
  }
}

/// Splits a script into quoted literals and the syntax between them.
private struct ShellReader {
  enum Part {
    /// Commands, options, variables.
    case syntax(ArraySlice<UInt8>)
    /// A literal in the quoting of `ShellWord`, and its value.
    case word(ArraySlice<UInt8>, value: [UInt8])
    /// A literal of the format of `printf`, and the bytes that it prints; `%s` ends it.
    case format(ArraySlice<UInt8>, value: [UInt8])
  }

  private let bytes: [UInt8]
  private var place = 0

  private static let quote = UInt8(ascii: "'")
  private static let escapedQuote = Array(#"\'"#.utf8)
  private static let printf = Array("printf ".utf8)
  private static let octals = Array(#""$(printf '"#.utf8)
  private static let octalsEnd = Array(#"')""#.utf8)

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Part? {
    guard place < bytes.count else { return nil }
    let start = place
    if bytes[place] == Self.quote {
      let isFormat = bytes[..<start].suffix(Self.printf.count).elementsEqual(Self.printf)
      let value = word()
      let notation = bytes[start..<place]
      guard isFormat, let printed = Self.printed(value) else { return .word(notation, value: value) }
      return .format(notation, value: printed)
    }
    while place < bytes.count, bytes[place] != Self.quote {
      if bytes[place] == UInt8(ascii: "\\") {
        place += 2
      } else if bytes[place] == UInt8(ascii: "\"") {
        place = bytes[(place + 1)...].firstIndex(of: UInt8(ascii: "\"")).map { $0 + 1 } ?? bytes.count
      } else {
        place += 1
      }
    }
    place = min(place, bytes.count)
    return .syntax(bytes[start..<place])
  }

  /// Consecutive literals without a space: `'a'\''b'"$(printf '\033')"'c'`.
  private mutating func word() -> [UInt8] {
    var value: [UInt8] = []
    while place < bytes.count {
      let rest = bytes[place...]
      if rest.first == Self.quote {
        let end = rest.dropFirst().firstIndex(of: Self.quote) ?? bytes.count
        value += bytes[(place + 1)..<end]
        place = min(end + 1, bytes.count)
      } else if rest.starts(with: Self.escapedQuote) {
        value.append(Self.quote)
        place += Self.escapedQuote.count
      } else if rest.starts(with: Self.octals),
        let end = rest.dropFirst(Self.octals.count).firstRange(of: Self.octalsEnd),
        let printed = Self.printed(Array(bytes[(place + Self.octals.count)..<end.lowerBound]))
      {
        value += printed
        place = end.upperBound
      } else {
        break
      }
    }
    return value
  }

  /// The output of `printf` for a format; nil if it holds an argument.
  private static func printed(_ format: [UInt8]) -> [UInt8]? {
    var printed: [UInt8] = []
    var rest = format[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard rest.popFirst() == UInt8(ascii: "%") else { return nil }
        printed.append(byte)
      case UInt8(ascii: "\\"):
        let octal = rest.prefix(3).prefix { (0x30...0x37).contains($0) }
        if octal.count == 3 {
          printed.append(UInt8(truncatingIfNeeded: octal.reduce(0) { $0 * 8 + Int($1 - 0x30) }))
          rest = rest.dropFirst(3)
        } else if let letter = rest.popFirst() {
          printed.append([0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09][letter] ?? letter)
        }
      default: printed.append(byte)
      }
    }
    return printed
  }
}
