/// What the keywords for strings ask. Lengths in code points; -1 for no pattern.
struct StringCheck {
  var minimum = 0
  var maximum = Int.max
  var pattern: Int32 = -1
  var format: UInt8 = StringCheck.noFormat
  static let noFormat: UInt8 = 0xFF
}
