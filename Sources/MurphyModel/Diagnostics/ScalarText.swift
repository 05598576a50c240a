/// Replacements by Unicode scalar, for every text that a machine reads.
///
/// `String.replacing` compares characters, and a quote with a combining mark after it is one character, which equals no
/// quote (UAX #29). What is escaped, split or searched for a machine goes through here or through bytes.
extension String {
  /// The text with `old` replaced wherever its scalars occur.
  package func replacingScalars(_ old: String, with new: String) -> String {
    String(unicodeScalars.replacing(old.unicodeScalars, with: new.unicodeScalars))
  }

  /// The text with some scalars written as `table` says.
  package func escaping(_ table: [Unicode.Scalar: String]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let escape = table[scalar] { text += escape.unicodeScalars } else { text.append(scalar) }
    }
    return String(text)
  }

  /// The lines, which end with LF, CR LF or CR and with nothing else; the last one may be empty.
  package var textLines: [String] {
    var lines: [String] = []
    var line = String.UnicodeScalarView()
    var endsWithReturn = false
    for scalar in unicodeScalars {
      if scalar == "\n", endsWithReturn {
        endsWithReturn = false
        continue
      }
      endsWithReturn = scalar == "\r"
      if scalar == "\n" || scalar == "\r" {
        lines.append(String(line))
        line = String.UnicodeScalarView()
      } else {
        line.append(scalar)
      }
    }
    return lines + [String(line)]
  }
}
