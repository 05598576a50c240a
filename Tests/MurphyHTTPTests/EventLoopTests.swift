import Glibc
import MurphyHTTP
import MurphyModel
import TestSupport
import Testing

@Suite(.timed) struct EventLoopTests {
  @Test func `tasks run on the loop's thread, and come back to it after a wait`() async throws {
    let loop = try EventLoop(number: 0)
    defer { loop.shutdown() }
    let onLoop = await loop.submit {
      var places = [loop.isCurrent]
      _ = await loop.sleep(until: .now + 1_000_000)
      places.append(loop.isCurrent)
      await Task.yield()
      places.append(loop.isCurrent)
      return places
    }.value
    #expect(onLoop == [true, true, true])
    #expect(!loop.isCurrent)
  }

  @Test func `sleepers wake in the order of their deadlines and never early`() async throws {
    let loop = try EventLoop(number: 0)
    defer { loop.shutdown() }
    let order = await loop.submit {
      let log = Log()
      let begin = Instant.now
      let tasks = ([30, 10, 20, 0] as [Int64]).map { milliseconds in
        loop.start(with: log) { log in
          let deadline = begin + milliseconds * 1_000_000
          #expect(await loop.sleep(until: deadline))
          #expect(.now >= deadline)
          log.entries.append(milliseconds)
        }
      }
      for task in tasks { await task.value }
      return log.entries
    }.value
    #expect(order == [0, 10, 20, 30])
  }

  @Test func `a loop that is blocked for 150 ms shows it, in the wake-up and in its figures`() async throws {
    let loop = try EventLoop(number: 0)
    defer { loop.shutdown() }
    let (late, figures) = await loop.submit {
      let deadline = Instant.now + 20_000_000
      loop.start(with: ()) { _ in usleep(150_000) }
      _ = await loop.sleep(until: deadline)
      let late = Instant.now - deadline
      _ = await loop.sleep(until: .now + 1_000_000)
      return (late, loop.currentFigures())
    }.value
    #expect(late >= 120_000_000)
    #expect(figures.stalls == 1)
    #expect(figures.longestAway >= 150_000_000)
  }

  @Test func `an interrupted sleep ends at once and says so`() async throws {
    let loop = try EventLoop(number: 0)
    defer { loop.shutdown() }
    let (slept, took) = await loop.submit {
      let begin = Instant.now
      loop.start(with: ()) { _ in
        _ = await loop.sleep(until: .now + 5_000_000)
        loop.interruptSleepers()
      }
      let slept = await loop.sleep(until: .now + 60_000_000_000)
      return (slept, Instant.now - begin)
    }.value
    #expect(!slept)
    #expect(took < 10_000_000_000)
  }

  @Test func `jobs of many other threads all arrive`() async throws {
    let loop = try EventLoop(number: 0)
    defer { loop.shutdown() }
    let sum = await withTaskGroup(of: Int.self) { group in
      for number in 1...1000 { group.addTask { await loop.submit { loop.isCurrent ? number : 0 }.value } }
      return await group.reduce(0, +)
    }
    #expect(sum == 500_500)
  }

  @Test func `a loop ends when it is told to, although deadlines are far`() async throws {
    let loop = try EventLoop(number: 0)
    await loop.submit { _ = loop.start(with: ()) { _ in _ = await loop.sleep(until: .now + 3_600_000_000_000) } }.value
    let begin = Instant.now
    loop.shutdown()
    #expect(Instant.now - begin < 5_000_000_000)
  }

  @Test func `only absences since a request was sent delayed it`() {
    var figures = LoopFigures()
    func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }
    figures.recordAbsence(from: at(1_000), to: at(9_000))
    figures.recordAbsence(from: at(9_500), to: at(9_510))
    figures.recordAbsence(from: at(10_000), to: at(10_300))
    #expect(figures.away(since: at(0)) == 8_300_000_000)
    #expect(figures.away(since: at(8_000)) == 1_300_000_000)
    #expect(figures.away(since: at(11_000)) == 0)
  }
}

/// Filled by several tasks of one loop.
private final class Log { var entries: [Int64] = [] }
