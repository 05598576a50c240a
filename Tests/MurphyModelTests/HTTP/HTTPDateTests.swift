import MurphyModel
import Testing

@Suite struct HTTPDateTests {
  @Test(
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 00:00:00 GMT", 1_709_164_800),
    ] as [(String, Int64)])
  func `a date of HTTP is the same moment in a cookie`(_ text: String, _ seconds: Int64) {
    #expect(HTTPDate.seconds(text) == Double(seconds))
    #expect(HTTPDate.seconds(cookie: text) == seconds)
  }

  @Test func `only a cookie's date may be written carelessly`() {
    let text = "06 nov 1994 08:49:37"
    #expect(HTTPDate.seconds(text) == nil)
    #expect(HTTPDate.seconds(cookie: text) == 784_111_777)
    #expect(RetryAfter(text) == nil)
  }

  @Test func `a day that is counted is the day that is written`() {
    for day in stride(from: -800_000, through: 3_000_000, by: 97) {
      let time = CivilTime(secondsSince1970: day * 86_400 + 4711)
      #expect(CivilTime.days(time.year, time.month, time.day) == day)
      guard (0...200_000).contains(day) else { continue }
      #expect(HTTPDate.seconds(time.imfFixdate) == Double(day * 86_400 + 4711))
      #expect(HTTPDate.seconds(iso: "\(time.date)T\(time.time)Z") == Double(day * 86_400 + 4711))
    }
  }
}
