import Foundation
import MurphyJudge
import MurphyModel
import Simulation
import Testing

/// A limiter that counts by another key than declared is one finding that says so, with a script that has its state.
@Suite struct OtherKeyTests {
  private static let device = LimitKey.header("x-device-id")

  /// Devices that take turns at one limiter of 20 per 10 s that counts by what `counter` says, and tells what remains.
  private static func log(
    devices: Int, addresses: Int = 1, allowance: Int = 20, seed: UInt64 = 1,
    counter: (_ device: Int, _ address: Int) -> String
  ) -> LimitLog {
    var random = RandomSource(seed: seed)
    var builder = LogBuilder()
    var counters: [String: LimiterModel] = [:]
    var moment = 1.0
    while moment < 45 {
      let device = Int(random.next() % UInt64(devices))
      let address = device % addresses
      let name = counter(device, address)
      let decided = moment + 0.003
      var limiter = counters[name] ?? LimiterModel(.fixed, allowance: allowance, window: 10, phase: 0)
      let isAdmitted = limiter.admits(at: decided)
      counters[name] = limiter
      let identity = builder.identity("device-\(device)", address: "127.0.0.\(address + 1)")
      builder.add(moment, moment + 0.006, isAdmitted ? 200 : 429, device: "device-\(device)")
      builder.log.observations[builder.log.observations.count - 1].identity = identity
      moment += random.uniform(0.01, 0.12)
    }
    return builder.log
  }

  private static func judge(_ log: LimitLog, _ key: LimitKey) -> (row: LimitRow, errors: [Finding]) {
    let policy = LimitJudgeTests.policy(.fixed, 20, window: .seconds(10), key: key, tick: .milliseconds(1))
    let judged = LimitJudge.judge(log: log, policies: [policy], options: LimitJudgeTests.fresh)
    return (judged.rows[0], judged.findings.filter { $0.severity == .error })
  }

  @Test func `rejections of keys that used up nothing name the keys that did`() {
    // Four submissions of one device, then one each of three others at the same address: 4 per hour and address.
    var builder = LogBuilder()
    for index in 0..<7 {
      builder.add(
        Double(index), Double(index) + 0.01, index < 4 ? 201 : 429, device: index < 4 ? "first" : "other-\(index)")
    }
    let policy = LimitJudgeTests.policy(.fixed, 4, window: .seconds(3600), key: Self.device, tick: .milliseconds(1))
    let row = LimitJudge.judge(log: builder.log, policies: [policy]).rows[0]
    #expect(row.verdict == .inconclusive)
    #expect(
      row.sentence.contains(
        "for 3 rejections, this run had admitted no request of the same key in the 60 min before, but had admitted "
          + "requests of "
          + "other keys: the limiter may count by another key than x-device-id"), "\(row.sentence)")
  }

  @Test func `one counter for an address is one finding, and not one for each consequence`() throws {
    let (row, errors) = Self.judge(Self.log(devices: 26) { _, _ in "all" }, Self.device)
    #expect(errors.map(\.kind) == [.limitKeyDeviceHeader], "\(errors.map(\.message))")
    let message = try #require(errors.first?.message)
    #expect(
      message.contains(
        "a count by address explains the responses, but a count by x-device-id does not: all 26 keys share one address"),
      "\(message)")
    #expect(message.contains("rejections fit 20 per 10 s by address"), "\(message)")
    #expect(row.verdict == .overThrottling && row.findings == errors.map(\.fingerprint))
    // The script uses up the counter with the devices that did it in the run.
    let script = try #require(errors.first?.evidence?.curl?.text)
    #expect(script.contains("Start with an address that had no requests for 10 s"), "\(script)")
    #expect(Set(script.matches(of: /device-\d+/).map { String($0.output) }).count > 3, "\(script)")
  }

  @Test func `one counter for everybody and one for a part of the key are told by name`() {
    let everybody = Self.judge(Self.log(devices: 12, addresses: 4) { _, _ in "all" }, Self.device).errors
    #expect(everybody.map(\.kind) == [.limitKeyDeviceHeader])
    #expect(
      everybody.first?.message.contains(
        "one counter for all clients explains the responses, but a count by x-device-id does not") == true)
    let both = LimitKey([.sourceAddress, .header("x-device-id")])
    let part = Self.judge(Self.log(devices: 24, addresses: 4) { _, address in "\(address)" }, both).errors
    #expect(part.map(\.kind) == [.limitKeyDeviceHeader], "\(part.map(\.message))")
    #expect(
      part.first?.message.contains(
        "a count by address explains the responses, but a count by address + x-device-id does not") == true)
  }

  @Test func `a finer key that explains what the declared one does not is one finding`() throws {
    let (row, errors) = Self.judge(Self.log(devices: 3) { device, _ in "\(device)" }, .sourceAddress)
    #expect(errors.map(\.kind) == [.limitKeySourceAddress], "\(errors.map(\.message))")
    let message = try #require(errors.first?.message)
    #expect(
      message.contains("a count by x-device-id explains the responses, but a count by address does not"), "\(message)")
    #expect(row.verdict == .overAdmission)
    // Two counters by the address that requests of two devices fall into fit a count by device as well as 40 by address.
    let doubled = Self.judge(Self.log(devices: 2, allowance: 40) { _, _ in "all" }, .sourceAddress)
    #expect(doubled.errors.map(\.kind) == [.limitOverAdmission], "\(doubled.errors.map(\.message))")
  }

  @Test(arguments: 1...6)
  func `another fault is not taken for another key`(_ seed: UInt64) {
    let right = Self.judge(Self.log(devices: 3, seed: seed) { device, _ in "\(device)" }, Self.device)
    #expect(right.errors.isEmpty, "\(right.errors.map(\.message))")
    // Two devices that get half the quota each share an address: half the quota explains it as well as the address.
    let halved = Self.judge(Self.log(devices: 2, allowance: 10, seed: seed) { device, _ in "\(device)" }, Self.device)
    #expect(halved.errors.map(\.kind) == [.limitOverThrottling], "\(halved.errors.map(\.message))")
    for allowance in [10, 19] {
      let found = Self.judge(
        Self.log(devices: 3, allowance: allowance, seed: seed) { device, _ in "\(device)" }, Self.device)
      #expect(found.errors.map(\.kind) == [.limitOverThrottling], "\(allowance): \(found.errors.map(\.message))")
    }
  }
}
