import MurphyModel
import MurphyReport
import Testing

@Suite("Witnesses")
struct WitnessViewTests {
  private static func exchange(_ session: Int, _ sent: Double, _ answered: Double, isRead: Bool) -> WitnessExchange {
    WitnessExchange(
      operation: isRead ? "getLaw" : "voteLaw", session: session, outcome: .accepted, status: 200, tells: "up",
      isRead: isRead, sent: .saturating(seconds: sent), answered: .saturating(seconds: answered), curl: nil,
      isSuspect: false)
  }

  private static func ends(_ witness: [WitnessExchange]) -> [String] {
    let text = WitnessView(witness, number: 1).drawing(width: 360, variant: "narrow").html
    return text.matches(of: #/text-anchor="(?:start|end)"[^>]*>([^<]*)</#).map { String($0.1) }
  }

  @Test func `the ends of the time axis are told apart, however close the exchanges are`() {
    #expect(
      Self.ends([Self.exchange(1, 12.031, 12.032, isRead: false), Self.exchange(2, 12.033, 12.034, isRead: true)])
        == ["12,030 ms", "12,035 ms"])
    #expect(
      Self.ends([Self.exchange(1, 0, 0.0004, isRead: false), Self.exchange(2, 0.0006, 0.0008, isRead: true)])
        == ["0 ms", "1.8 ms"])
    #expect(
      Self.ends([Self.exchange(-1, -1, -0.9, isRead: true), Self.exchange(2, 30, 31, isRead: true)])
        == ["-1.6 s", "31.6 s"])
  }
}
