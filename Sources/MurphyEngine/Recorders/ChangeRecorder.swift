import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Keeps the last successful writes of a loop, and a copy of them when an operation changes from success to failure.
struct ChangeRecorder {
  /// A request that has ended. The response is not kept.
  struct Sent {
    var request: PreparedRequest
    var secrets: [Secret]
    var status: Int?
    var sent: Instant
    var ended: Instant
  }

  /// The last requests of one operation. A class, so that the usual request changes it in place.
  private final class Course {
    var lastSuccess: Instant?
    var failed: Sent?
    var failures = 0
    var suspects: [Sent] = []
  }

  private var courses: [Course?]
  /// The last successful writes; a ring.
  private var writes: [Sent] = []
  private var next = 0

  init(operations: Int) { courses = Array(repeating: nil, count: operations) }

  mutating func wrote(_ sent: Sent) {
    // The content of an upload is not kept.
    guard sent.request.http.content == nil else { return }
    if writes.count < FailureChange.mostSuspects { return writes.append(sent) }
    writes[next] = sent
    next = (next + 1) % FailureChange.mostSuspects
  }

  mutating func succeeded(_ operation: Int, sent: Instant) {
    let course = course(operation)
    course.lastSuccess = max(course.lastSuccess ?? sent, sent)
    guard course.failures > 0 else { return }
    (course.failed, course.failures, course.suspects) = (nil, 0, [])
  }

  mutating func failed(_ operation: Int, _ sent: @autoclosure () -> Sent) {
    let course = course(operation)
    course.failures += 1
    guard course.failures == 1 else { return }
    (course.failed, course.suspects) = (sent(), Array(writes[next...] + writes[..<next]))
  }

  private mutating func course(_ operation: Int) -> Course {
    if let course = courses[operation] { return course }
    let course = Course()
    courses[operation] = course
    return course
  }

  /// The changes, masked.
  func changes(_ context: RunContext) -> [FailureChange] {
    zip(courses.indices, courses).compactMap { operation, course in
      guard let course else { return nil }
      var change = FailureChange(operation: operation, lastSuccess: course.lastSuccess.map(context.seconds))
      change.failures = course.failures
      change.failed = course.failed.map { Self.suspect($0, context) }
      change.suspects = course.suspects.map { Self.suspect($0, context) }
      return change
    }
  }

  private static let longestBody = 120

  private static func suspect(_ sent: Sent, _ context: RunContext) -> SuspectRequest {
    let http = sent.request.http
    let found = SecretSearch(context, nil, sent.request, known: sent.secrets).found
    let mask = context.mask.adding(found, isNested: found.count <= 20)
    var request = CurlRequest(http, mask, context.transport)
    request.url = mask.word(context.origin.text + http.target)
    let body = http.body.map { mask.masked(String(decoding: $0.prefix(1 << 16), as: UTF8.self)) } ?? ""
    let shown = body.shortened(to: longestBody)
    return SuspectRequest(
      operation: sent.request.operation,
      text: "\(http.method) \(mask.masked(http.target))\(shown.isEmpty ? "" : " \(shown)")",
      curl: CurlScript([.requests([request])]).text, method: http.method, target: http.target, headers: http.headers,
      body: http.body, status: sent.status, sent: context.seconds(sent.sent), ended: context.seconds(sent.ended))
  }
}
