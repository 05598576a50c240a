import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario

/// The reason why a response does not decide its case.
enum Undecided: String {
  case limited = "rate limited"
  case credentials = "credentials rejected"
  case missing = "item missing"
  case outage = "server unavailable"
  case unanswered = "no response"
  case existing = "item existed before"
  case failed = "request rejected"
  case redirected = "redirected"
  case waiting = "item waits for review"
  case unprepared = "an earlier request failed"

  /// - Returns: nil for a response that decides the case.
  init?(_ one: ExploreCase, _ performed: CaseRunner.Performed, _ contract: Contract) {
    let operation = contract.operations[performed.call.operation]
    switch performed.status {
    case 0: self = .unanswered
    // It is unknown if the target of the redirect accepts the request.
    case 300..<400 where performed.status != 304:
      guard one.expectation == .refused || !operation.redirects(by: performed.status) else { return nil }
      self = .redirected
    case 429: self = .limited
    case 502, 503, 504: self = .outage
    case 401, 403:
      guard one.category != .auth, performed.call.caller == .own, !operation.isOpen else { return nil }
      self = .credentials
    case 404, 410:
      guard one.isAboutContent, !one.place.contains("path "), !one.call.path.isEmpty else { return nil }
      self = .missing
    default: return nil
    }
  }
}

extension ExploreCase {
  /// True if it tests a value or a header of a request for an existing item.
  fileprivate var isAboutContent: Bool {
    guard category != .auth, category != .state, expectation != .methodRefused else { return false }
    // If the body names another item and that item is missing, this is the response.
    return place.split(separator: "/").last.map { BodyNames.isReference(String($0)) } != true
  }
}
