/// Punycode (RFC 3492), with its parameters for IDNA.
enum Punycode {
  private static let base = 36
  private static let threshold = (low: 1, high: 26)

  /// The code points of the part behind `xn--`; nil where it is not Punycode.
  static func decode(_ text: Substring) -> [Unicode.Scalar]? {
    let bytes = Array(text.utf8)
    var output: [Unicode.Scalar] = []
    var index = 0
    if let dash = bytes.lastIndex(of: 0x2D) {
      output = bytes[..<dash].map { Unicode.Scalar($0) }
      index = dash + 1
    }
    var code = 128
    var position = 0
    var bias = 72
    if index == bytes.count { return nil }
    while index < bytes.count {
      let before = position
      var weight = 1
      var step = base
      while true {
        guard index < bytes.count, let digit = digit(bytes[index]) else { return nil }
        index += 1
        let (product, overflowed) = digit.multipliedReportingOverflow(by: weight)
        let (sum, overflowedToo) = position.addingReportingOverflow(product)
        if overflowed || overflowedToo || sum > 0x7FFF_FFFF { return nil }
        position = sum
        let limit = self.limit(step, bias)
        if digit < limit { break }
        weight *= base - limit
        if weight > 0x7FFF_FFFF { return nil }
        step += base
      }
      bias = adapt(position - before, output.count + 1, isFirst: before == 0)
      code += position / (output.count + 1)
      position %= output.count + 1
      guard code <= 0x10FFFF, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
      output.insert(scalar, at: position)
      position += 1
    }
    return output
  }

  /// Nil for a label too long to be one.
  static func encode(_ input: [Unicode.Scalar]) -> String? {
    guard input.count <= 256 else { return nil }
    var output = input.filter(\.isASCII).map { UInt8($0.value) }
    var handled = output.count
    let basic = handled
    if basic > 0 { output.append(0x2D) }
    var code: UInt32 = 128
    var delta = 0
    var bias = 72
    while handled < input.count {
      guard let next = input.map(\.value).filter({ $0 >= code }).min() else { return nil }
      delta += Int(next - code) * (handled + 1)
      code = next
      for scalar in input {
        if scalar.value < code { delta += 1 }
        guard scalar.value == code else { continue }
        var rest = delta
        var step = base
        while true {
          let limit = self.limit(step, bias)
          if rest < limit { break }
          output.append(letter(limit + (rest - limit) % (base - limit)))
          rest = (rest - limit) / (base - limit)
          step += base
        }
        output.append(letter(rest))
        bias = adapt(delta, handled + 1, isFirst: handled == basic)
        delta = 0
        handled += 1
      }
      delta += 1
      code += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func limit(_ step: Int, _ bias: Int) -> Int { min(max(step - bias, threshold.low), threshold.high) }

  private static func adapt(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / 700 : delta / 2
    delta += delta / count
    var steps = 0
    while delta > (base - threshold.low) * threshold.high / 2 {
      delta /= base - threshold.low
      steps += base
    }
    return steps + (base - threshold.low + 1) * delta / (delta + 38)
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case 0x61...0x7A: Int(byte) - 0x61
    case 0x41...0x5A: Int(byte) - 0x41
    case 0x30...0x39: Int(byte) - 0x30 + 26
    default: nil
    }
  }

  private static func letter(_ digit: Int) -> UInt8 { UInt8(digit < 26 ? digit + 0x61 : digit - 26 + 0x30) }
}
