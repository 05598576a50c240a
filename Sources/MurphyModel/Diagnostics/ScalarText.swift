import Glibc

/// Replacements by Unicode scalar, for every string that a machine reads.
///
/// `String.replacing` compares characters. A quote with a combining mark after it is one character, which does not
/// equal a quote (UAX #29). Strings for a machine must be escaped, split or searched with these functions or as bytes.
extension String {
  /// The string with `old` replaced wherever its scalars occur.
  package func replacingScalars(_ old: String, with new: String) -> String {
    let (bytes, old) = (Array(utf8), Array(old.utf8))
    var (text, next) = ([UInt8](), 0)
    // In UTF-8 no scalar begins within another one (RFC 3629 §3).
    while let place = bytes.place(of: old, from: next) {
      text += bytes[next..<place.lowerBound]
      text += new.utf8
      next = place.upperBound
    }
    return next == 0 ? self : String(decoding: text + bytes[next...], as: UTF8.self)
  }

  /// The string with some scalars replaced according to `table`.
  package func escaping(_ table: [Unicode.Scalar: String]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let escape = table[scalar] { text += escape.unicodeScalars } else { text.append(scalar) }
    }
    return String(text)
  }

  /// The lines, which end only with LF, CR LF or CR; the last one may be empty.
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

extension [UInt8] {
  /// The first position of `wanted` from an index on, before `end` if it is given; nil if `wanted` is empty.
  package func place(of wanted: [UInt8], from start: Int, before end: Int? = nil) -> Range<Int>? {
    let end = end ?? count
    guard !wanted.isEmpty, start < end else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var next = start
      while next + wanted.count <= end,
        let found = memchr(base + next, CInt(wanted[0]), end - next - wanted.count + 1)
      {
        let place = UnsafeRawPointer(found) - base
        if memcmp(found, wanted, wanted.count) == 0 { return place..<(place + wanted.count) }
        next = place + 1
      }
      return nil
    }
  }
}
