import Foundation
import MurphyModel
import Testing

@Suite struct WriteTrailTests {
  private func trail(_ count: Int, operations: Int, from begin: Double = 0) -> WriteTrail {
    var trail = WriteTrail()
    for index in 0..<count {
      let sent = begin + Double(index) * 0.01
      trail.add(CompletedWrite(operation: index % operations, status: 201, sent: sent, ended: sent + 0.002))
    }
    return trail
  }

  @Test func `memory is bounded and the last write is kept`() throws {
    let trail = trail(200_000, operations: 7)
    #expect(trail.writes.count <= 4_096)
    let last = try #require(trail.last(before: 3_000))
    #expect(last.sent == 1_999.99)
  }

  @Test func `the first write of each operation is kept`() {
    let trail = trail(50_000, operations: 3)
    #expect(trail.writes.prefix(3).map(\.operation) == [0, 1, 2])
  }

  @Test func `more operations than the trail has room for end in a trail`() {
    #expect(trail(10_000, operations: 10_000).writes.count == 10_000)
  }

  @Test func `an operation that succeeds for the first time is named before a later known one`() throws {
    var trail = trail(100, operations: 1)
    trail.add(CompletedWrite(operation: 5, status: 201, sent: 1.0, ended: 1.01))
    trail.add(CompletedWrite(operation: 0, status: 201, sent: 1.02, ended: 1.03))
    #expect(try #require(trail.last(before: 1.1)).operation == 5)
    #expect(try #require(trail.last(before: 0.5)).operation == 0)
  }

  @Test func `merged trails are in order of time`() {
    var one = trail(20, operations: 2)
    one.merge(trail(20, operations: 2, from: 0.005))
    #expect(one.writes.map(\.ended) == one.writes.map(\.ended).sorted())
  }

  @Test(arguments: [-1, 1_000_000_000, Int.max])
  func `a file with an operation that no contract has is read without it`(_ operation: Int) throws {
    let text = #"{"slot": 1e308, "writes": [{"operation": \#(operation), "status": 200, "sent": 1, "ended": 2}]}"#
    let trail = try JSONDecoder().decode(WriteTrail.self, from: Data(text.utf8))
    #expect(trail.writes.isEmpty)
  }

  @Test func `a trail survives its file`() throws {
    let whole = trail(9_000, operations: 4)
    let again = try JSONDecoder().decode(WriteTrail.self, from: JSONEncoder().encode(whole))
    #expect(again.writes == whole.writes)
  }
}
