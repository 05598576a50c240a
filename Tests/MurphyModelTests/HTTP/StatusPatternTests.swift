import MurphyModel
import Testing

@Suite struct StatusPatternTests {
  @Test(
    arguments: [
      ("404", 404...404, "404"), ("4XX", 400...499, "4XX"), ("4xx", 400...499, "4XX"),
      ("200..204", 200...204, "200..204"), ("200..200", 200...200, "200"), ("500..599", 500...599, "5XX"),
    ])
  func `statuses are read in every form`(_ text: String, _ range: ClosedRange<Int>, _ shown: String) {
    #expect(StatusPattern(text)?.range == range)
    #expect(StatusPattern(text)?.text == shown)
  }

  @Test(
    arguments: [
      "", "XX", "6XX", "0XX", "4X", "99", "600", "+200", "0404", "204..200", "200..", "..204", "200..204..299",
      "200..900", "default", "４XX", "4 4",
    ])
  func `what is not a status is rejected`(_ text: String) {
    #expect(StatusPattern(text) == nil)
  }
}
