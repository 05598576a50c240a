/// The patterns and formats of the document, each as a function of a text.
enum Texts {
  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }

  static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

  /// `^97[89][0-9]{10}$`
  static func isISBN(_ text: String) -> Bool {
    text.utf8.count == 13 && text.utf8.allSatisfy(isDigit) && (text.hasPrefix("978") || text.hasPrefix("979"))
  }

  /// `^[a-z][a-z0-9_]{2,19}$`
  static func isUserName(_ text: String) -> Bool {
    (3...20).contains(text.utf8.count) && text.utf8.first.map(isLower) == true
      && text.utf8.allSatisfy { isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// `^[a-z]{2}(-[A-Z]{2})?$`
  static func isLanguage(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 2 || bytes.count == 5, bytes.prefix(2).allSatisfy(isLower) else { return false }
    return bytes.count == 2 || bytes[2] == UInt8(ascii: "-") && bytes.suffix(2).allSatisfy(isUpper)
  }

  /// `^[A-Z]{2}$`
  static func isCountry(_ text: String) -> Bool { text.utf8.count == 2 && text.utf8.allSatisfy(isUpper) }

  /// `^[A-Z0-9 -]{3,10}$`
  static func isPostcode(_ text: String) -> Bool {
    (3...10).contains(text.utf8.count)
      && text.utf8.allSatisfy { isUpper($0) || isDigit($0) || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }
  }

  /// `^[A-Za-z0-9_-]{8,64}$`
  static func isKey(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        isUpper($0) || isLower($0) || isDigit($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
      }
  }

  /// The number in `^c[0-9]{1,9}$`
  static func cursor(_ text: String) -> Int? {
    let digits = text.utf8.dropFirst()
    guard text.utf8.first == UInt8(ascii: "c"), (1...9).contains(digits.count), digits.allSatisfy(isDigit) else {
      return nil
    }
    return Int(String(decoding: Array(digits), as: UTF8.self))
  }

  /// A UUID of RFC 9562, section 4, in lower case.
  static func uuid(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
    let hexadecimal = parts.joined().allSatisfy { UnicodeScalar($0).properties.isASCIIHexDigit }
    return hexadecimal ? text.lowercased() : nil
  }

  /// A `full-date` of RFC 3339, section 5.6, of a day that there is.
  static func isDate(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(isDigit) else { return false }
    let numbers = parts.compactMap { Int(String(decoding: Array($0), as: UTF8.self)) }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    guard (1...12).contains(month) else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }
}
