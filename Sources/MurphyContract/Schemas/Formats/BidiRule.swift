/// The Bidi rule for labels with right-to-left letters (RFC 5893 §2), on the classes that valid labels can hold.
struct BidiRule {
  private enum Class { case left, right, arabic, europeanNumber, arabicNumber, mark, neutral }

  private let classes: [Class]

  init(_ scalars: [Unicode.Scalar]) { classes = scalars.map(Self.bidiClass) }

  /// Labels without right-to-left letters are left alone: the rule is for Bidi domain names.
  var holds: Bool {
    guard classes.contains(where: { $0 == .right || $0 == .arabic || $0 == .arabicNumber }) else { return true }
    guard let first = classes.first, let last = classes.last(where: { $0 != .mark }) else { return true }
    switch first {
    case .right, .arabic:
      let numbers = Set(classes.filter { $0 == .europeanNumber || $0 == .arabicNumber })
      return !classes.contains(.left) && numbers.count < 2 && last != .neutral
    case .left:
      return !classes.contains { $0 == .right || $0 == .arabic || $0 == .arabicNumber }
    default: return false
    }
  }

  private static func bidiClass(_ scalar: Unicode.Scalar) -> Class {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return .mark
    default: break
    }
    switch scalar.value {
    case 0x30...0x39, 0x6F0...0x6F9: return .europeanNumber
    case 0x660...0x669: return .arabicNumber
    case 0x590...0x5FF, 0x7C0...0x85F, 0xFB1D...0xFB4F, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return .right
    case 0x600...0x7BF, 0x860...0x8FF, 0xFB50...0xFDFF, 0xFE70...0xFEFF: return .arabic
    case 0x2D, 0xB7, 0x375, 0x30FB: return .neutral
    default: return .left
    }
  }
}
