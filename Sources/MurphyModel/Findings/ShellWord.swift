/// One word of a command line for a POSIX shell: literal bytes, and references to shell variables.
///
/// Literal text is in single quotes, in which a shell treats no character as special; a single quote itself is written
/// `'\''`. A variable is between the quoted parts as `"$NAME"`. So text from a server, a contract or a scenario is
/// never in a place that a shell expands. Bytes that a terminal or a line editor would interpret are written as
/// `"$(printf '\033')"`: control characters, bytes that are not UTF-8, marks of text direction.
package struct ShellWord: Sendable, Hashable {
  /// A part of a word.
  package enum Piece: Sendable, Hashable {
    case bytes([UInt8])
    case variable(ShellVariable)
  }

  /// Adjacent bytes are one piece.
  package private(set) var pieces: [Piece] = []

  package init() {}

  package init(_ text: String) { append(text) }

  package init(_ variable: ShellVariable) { append(.variable(variable)) }

  package init(_ pieces: some Sequence<Piece>) {
    for piece in pieces { append(piece) }
  }

  /// Appends literal text; the shell never expands it.
  package mutating func append(_ text: String) { append(.bytes(Array(text.utf8))) }

  /// Appends a reference that the shell expands.
  package mutating func append(_ variable: ShellVariable) { append(.variable(variable)) }

  /// Joins adjacent bytes.
  package mutating func append(_ piece: Piece) {
    if case .bytes(let more) = piece {
      if more.isEmpty { return }
      if case .bytes(let before)? = pieces.last {
        pieces[pieces.count - 1] = .bytes(before + more)
        return
      }
    }
    pieces.append(piece)
  }

  /// Joins two words to one.
  package static func + (left: ShellWord, right: ShellWord) -> ShellWord { ShellWord(left.pieces + right.pieces) }

  /// True for a word that the shell reads as an empty string.
  package var isEmpty: Bool { pieces.isEmpty }

  /// The number of bytes without the values of variables.
  package var literalCount: Int {
    pieces.reduce(0) { sum, piece in if case .bytes(let bytes) = piece { sum + bytes.count } else { sum } }
  }

  /// In the order of their occurrence, with repetitions.
  package var variables: [ShellVariable] {
    pieces.compactMap { if case .variable(let variable) = $0 { variable } else { nil } }
  }

  /// The beginning of the word as text, up to its first variable.
  package var prefix: String {
    guard case .bytes(let bytes)? = pieces.first else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// True if all its bytes can be between single quotes unchanged.
  package var isPrintable: Bool {
    pieces.allSatisfy { piece in
      guard case .bytes(let bytes) = piece else { return true }
      return ShellCharacter.read(bytes).allSatisfy { if case .printable = $0 { true } else { false } }
    }
  }

  /// The word as an argument. An argument cannot hold NUL: it is left out.
  package var quoted: String {
    if pieces.isEmpty { return "''" }
    return pieces.map { piece in
      switch piece {
      case .variable(let variable): "\"$\(variable.name)\""
      case .bytes(let bytes): Self.quoted(bytes)
      }
    }.joined()
  }

  /// The text as an argument, quoted only if a shell would interpret it.
  package static func argument(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || "-_./:=@%+,".utf8.contains(byte)
      }
    return isPlain ? text : ShellWord(text).quoted
  }

  private static func quoted(_ bytes: [UInt8]) -> String {
    var text = ""
    var run = ""
    func close() {
      if !run.isEmpty { text += "'" + run + "'" }
      run = ""
    }
    for character in ShellCharacter.read(bytes) {
      switch character {
      // By scalar: a quote and a combining mark after it are one `Character`, in which a search finds no quote.
      case .printable("'"): run += "'\\''"
      case .printable(let scalar): run.unicodeScalars.append(scalar)
      case .unprintable([0]): continue
      // A command substitution drops newlines at its end.
      case .unprintable([0x0A]): run += "\n"
      case .unprintable(let bytes):
        close()
        text += "\"$(printf '" + bytes.map(ShellCharacter.octal).joined() + "')\""
      }
    }
    close()
    return text.isEmpty ? "''" : text
  }

  /// A command that writes the word, byte for byte, NUL included: `printf 'a\n%s' "$TOKEN"`.
  package var printing: String {
    var format = ""
    var arguments: [String] = []
    for piece in pieces {
      switch piece {
      case .variable(let variable):
        format += "%s"
        arguments.append("\"$\(variable.name)\"")
      case .bytes(let bytes): format += ShellCharacter.format(bytes)
      }
    }
    return (["printf '\(format)'"] + arguments).joined(separator: " ")
  }
}

/// A shell variable. Its name holds only letters, digits and underscores, whatever its source.
package struct ShellVariable: Sendable, Hashable {
  /// Without the `$`.
  package let name: String

  /// - Parameter words: joined by underscores, in capitals; every invalid character becomes an underscore.
  package init(_ words: String...) {
    let name = words.joined(separator: "_").utf8.map { byte -> Character in
      switch byte {
      case 0x30...0x39, 0x41...0x5A: Character(Unicode.Scalar(byte))
      case 0x61...0x7A: Character(Unicode.Scalar(byte - 0x20))
      default: "_"
      }
    }
    self.name = name.first.map { $0.isNumber || name == ["_"] } ?? true ? "V_" + String(name) : String(name)
  }

  /// An environment variable under its own name; nil if a shell could not read it.
  package init?(environment name: String) {
    let isName = name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
      default: false
      }
    }
    guard isName, let first = name.utf8.first, !(0x30...0x39).contains(first), name != "_" else { return nil }
    self.name = name
  }
}

/// A character of a shell word: one that can be shown and pasted unchanged, or bytes that cannot.
enum ShellCharacter {
  case printable(Unicode.Scalar)
  /// A control character, a mark of text direction, an invisible character, or a byte that is not UTF-8.
  case unprintable([UInt8])

  static func read(_ bytes: [UInt8]) -> [ShellCharacter] {
    var characters: [ShellCharacter] = []
    characters.reserveCapacity(bytes.count)
    var decoder = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var index = 0
    while true {
      switch decoder.parseScalar(from: &rest) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        let count = encoded.count
        characters.append(isPrintable(scalar) ? .printable(scalar) : .unprintable(Array(bytes[index..<index + count])))
        index += count
      case .error(let length):
        characters.append(.unprintable(Array(bytes[index..<index + length])))
        index += length
      case .emptyInput: return characters
      }
    }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
    default: true
    }
  }

  /// Three octal digits, as POSIX `printf` reads them.
  static func octal(_ byte: UInt8) -> String { "\\" + byte.padded(3, radix: 8) }

  /// Bytes as the format of a `printf` in single quotes.
  static func format(_ bytes: [UInt8]) -> String {
    var text = ""
    var followsOctal = false
    for character in read(bytes) {
      var isOctal = false
      switch character {
      case .printable("'"): text += "'\\''"
      case .printable("\\"): text += "\\\\"
      case .printable("%"): text += "%%"
      // Some shells read a digit after an octal escape as a part of it; some read a leading "-" as an option.
      case .printable(let scalar)
      where (followsOctal && ("0"..."9").contains(scalar)) || (text.isEmpty && scalar == "-"):
        text += octal(UInt8(scalar.value))
        isOctal = true
      case .printable(let scalar): text.unicodeScalars.append(scalar)
      case .unprintable([0x0A]): text += "\\n"
      case .unprintable([0x0D]): text += "\\r"
      case .unprintable([0x09]): text += "\\t"
      case .unprintable(let bytes):
        text += bytes.map(octal).joined()
        isOctal = true
      }
      followsOctal = isOctal
    }
    return text
  }
}

extension ShellWord: Codable {
  private struct Reference: Codable { var variable: String }

  /// Literal text as a string, bytes that are not text as numbers, a variable as an object with its name.
  package init(from decoder: any Decoder) throws {
    self.init()
    var pieces = try decoder.unkeyedContainer()
    while !pieces.isAtEnd {
      if let text = try? pieces.decode(String.self) {
        append(text)
      } else if let bytes = try? pieces.decode([UInt8].self) {
        append(.bytes(bytes))
      } else {
        let name = try pieces.decode(Reference.self).variable
        guard let variable = ShellVariable(environment: name) else {
          throw DecodingError.dataCorruptedError(in: pieces, debugDescription: "\"\(name)\" is not a shell variable")
        }
        append(variable)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for piece in pieces {
      switch piece {
      case .variable(let variable): try list.encode(Reference(variable: variable.name))
      case .bytes(let bytes):
        if let text = String(validating: bytes, as: UTF8.self) { try list.encode(text) } else { try list.encode(bytes) }
      }
    }
  }
}

extension ShellVariable: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let variable = ShellVariable(environment: name) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(name)\" is not a shell variable"))
    }
    self = variable
  }

  package func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
