import Murphy

extension AddressSharing {
  /// `usual`, `none`, or rows of share and users: `85%=1,14.6%=2..5,0.4%=40..200`.
  init(parsing text: String) throws(GateError) {
    switch text {
    case "usual": self = .usual
    case "none": self = .none
    default:
      var rows: [Row] = []
      for word in text.split(separator: ",") {
        let sides = word.split(separator: "=").map { $0.trimmingPrefix { $0 == " " } }
        guard sides.count == 2, let share = Self.share(String(sides[0])), let users = Self.users(String(sides[1]))
        else {
          throw .usage(
            "--sharing \"\(text)\": \"\(word)\" is not a row; expected a share of addresses and the users behind each, such as 85%=1 or 0.4%=40..200."
          )
        }
        rows.append(Row(share: share, users: users))
      }
      self.init(rows)
    }
  }

  private static func share(_ text: String) -> Double? {
    let number = text.hasSuffix("%") ? String(text.dropLast()) : text
    guard let value = Quantity.number(number), value > 0 else { return nil }
    return value
  }

  private static func users(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: ".", omittingEmptySubsequences: true).compactMap { Int($0) }
    switch ends.count {
    case 1 where ends[0] > 0 && Int(text) != nil: return ends[0]...ends[0]
    case 2 where ends[0] > 0 && ends[0] <= ends[1]: return ends[0]...ends[1]
    default: return nil
    }
  }
}
