import MurphySchema
import Testing

@Suite struct ExactDecimalTests {
  @Test(arguments: [
    ("0.0075", "0.0001", true), ("0.00751", "0.0001", false), ("1e308", "0.123456789", false), ("1e308", "0.5", true),
    ("9007199254740993", "2", false), ("4.35", "0.01", true), ("1.1", "0.1", true), ("0", "0.3", true),
    ("123456789012345678901234567890", "12345678901234567890123456789", true),
    ("123456789012345678901234567891", "12345678901234567890123456789.0", false),
    ("123456789012345678901234567890", "9", true), ("1e1000000000000000000000", "3", false), ("3e99999999", "7", false),
    ("1e99999999", "65536", true), ("-10", "2.5", true),
  ])
  func `multiples are exact`(_ value: String, _ divisor: String, _ expected: Bool) {
    #expect(ExactDecimal(value).isMultiple(of: ExactDecimal(divisor)) == expected)
  }

  @Test(arguments: [("1", "1.0"), ("100", "1e2"), ("0.001", "1E-3"), ("-0", "0"), ("1.50", "15e-1")])
  func `equal numbers are equal however written`(_ left: String, _ right: String) {
    #expect(ExactDecimal(left) == ExactDecimal(right))
    #expect(!(ExactDecimal(left) < ExactDecimal(right)))
  }

  @Test func `order is that of the numbers`() {
    let ascending = [
      "-1e400", "-2", "-1.5", "-1e-400", "0", "1e-400", "0.5", "1", "1.0000000000000000000001", "9", "10", "1e400",
    ]
    for (index, left) in ascending.enumerated() {
      for right in ascending[(index + 1)...] {
        #expect(ExactDecimal(left) < ExactDecimal(right))
        #expect(!(ExactDecimal(right) < ExactDecimal(left)))
      }
    }
  }

  @Test func `whole numbers that fit become ints`() {
    #expect(ExactDecimal("1e2").int == 100)
    #expect(ExactDecimal("-9223372036854775808").int == Int.min)
    #expect(ExactDecimal("9223372036854775808").int == nil)
    #expect(ExactDecimal("1.5").int == nil)
  }
}
