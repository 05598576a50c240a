import MurphyJSON

extension Function {
  /// `round`, `floor`, `ceil`, `abs`, `min`, `max`; the last two also of one list.
  func compute(_ arguments: [JSONValue]) throws(EvaluationError) -> JSONValue {
    switch self {
    case .min, .max:
      let values = arguments.count == 1 ? try list(arguments[0]) : arguments
      var best: JSONValue?
      for value in values {
        guard let number = value.double else { throw .wrongType("\(rawValue)() needs numbers; found \(value.brief)") }
        guard let known = best?.double else {
          best = value
          continue
        }
        if self == .min ? number < known : number > known { best = value }
      }
      guard let best else { throw .outOfRange("\(rawValue)() of an empty list") }
      return best
    default:
      guard let number = arguments[0].double else {
        throw .wrongType("\(rawValue)() needs a number; found \(arguments[0].brief)")
      }
      switch self {
      case .round: return JSONValue(number.rounded())
      case .floor: return JSONValue(number.rounded(.down))
      case .ceil: return JSONValue(number.rounded(.up))
      default: return JSONValue(number.magnitude)
      }
    }
  }
}
