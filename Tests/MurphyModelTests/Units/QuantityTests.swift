import MurphyModel
import Testing

@Suite struct QuantityTests {
  @Test(arguments: [
    ("300ms", 0.3), ("1.5s", 1.5), ("2m", 120), ("1h", 3600), ("80us", 80e-6), ("1m30s", 90), ("0", 0), ("5min", 300),
    ("3 s", 3), ("80 µs", 80e-6), ("2 min", 120), ("1 min 30 s", 90),
  ])
  func `a duration is read to the nanosecond`(text: String, seconds: Double) throws {
    #expect(try Quantity.duration(text).get() == .nanoseconds(Int64((seconds * 1e9).rounded())))
  }

  @Test(arguments: ["", "3", "3  s", "3 ", "3s ", "-3s", "s", "3x", "3s4", "1e3s", ".5s", "3.s", "３s"])
  func `what is no duration is rejected`(text: String) {
    #expect(throws: Quantity.Mistake.self) { try Quantity.duration(text).get() }
  }

  @Test(arguments: [("20/s", 20), ("600/m", 10), ("1000/h", 1000.0 / 3600), ("0.5/s", 0.5)])
  func `a rate is read per second`(text: String, rate: Double) throws {
    #expect(abs(try Quantity.rate(text).get() - rate) < 1e-12)
  }

  @Test(arguments: ["20", "20/", "/s", "20/x", "20 /s", "20s"])
  func `what is no rate is rejected`(text: String) {
    #expect(throws: Quantity.Mistake.self) { try Quantity.rate(text).get() }
  }

  @Test func `sizes follow their prefixes`() throws {
    #expect(try Quantity.size("8MB").get() == ByteCount(8_000_000))
    #expect(try Quantity.size("8 MiB").get() == ByteCount(8_388_608))
    #expect(try Quantity.size("64KB").get() == ByteCount(64000))
    #expect(try Quantity.size("100").get() == ByteCount(100))
    #expect(throws: Quantity.Mistake.self) { try Quantity.size("8 mb").get() }
  }

  @Test func `shares are percentages`() throws {
    #expect(try Quantity.share("0.1%").get() == 0.001)
    #expect(try Quantity.share("90%").get() == 0.9)
    #expect(throws: Quantity.Mistake.self) { try Quantity.share("101%").get() }
    #expect(throws: Quantity.Mistake.self) { try Quantity.share("0.1").get() }
  }

  @Test(
    arguments: [
      ("60", 60), ("1 hour", 3600), ("hour", 3600), ("2 minutes", 120), ("90 s", 90), ("1m30s", 90), ("1.5m", 90),
      ("500ms", 0.5), ("1 day", 86_400),
    ])
  func `documents of others write durations more freely`(_ text: String, _ seconds: Double) throws {
    #expect(try Quantity.looseDuration(text).get() == .seconds(seconds))
  }

  @Test(arguments: ["", "s", "soon", "1 fortnight", "-1s", "1e3", "inf", "nan", "0x10"])
  func `what is not a duration is rejected even there`(_ text: String) {
    #expect(throws: Quantity.Mistake.self) { try Quantity.looseDuration(text).get() }
  }

  @Test(arguments: [("30/60s", 30, 60.0), ("5/min", 5, 60), ("4/s", 4, 1), ("1000/h", 1000, 3600), ("3/1m30s", 3, 90)])
  func `an allowance is a number of requests in a length of time`(_ text: String, _ count: Int, _ window: Double) throws
  {
    let allowance = try Quantity.allowance(text).get()
    #expect(allowance == (count, .seconds(window)))
  }

  @Test(arguments: ["", "30", "30/60", "0/60s", "30/0s", "-1/s", "30/60s/2", "1.5/s", "30/20y", "30/9000d"])
  func `what is not an allowance is rejected`(_ text: String) {
    #expect(throws: Quantity.Mistake.self) { try Quantity.allowance(text).get() }
  }
}
