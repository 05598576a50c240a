import MurphyHTTP
import MurphyModel
import MurphySchema

/// A response of the proxy itself: problem details (RFC 9457 §3).
struct ProxyProblem: Sendable {
  var status: Int
  var title: String
  var detail: String
  /// The feature that the proxy cannot forward; nil for other problems.
  var unsupported: String?

  /// For a request without a response from the target: 504 after a timeout, otherwise 502.
  init(_ error: TransportError) {
    switch error {
    case .timeout, .connectTimeout: (status, title) = (504, "Gateway Timeout")
    default: (status, title) = (502, "Bad Gateway")
    }
    detail = "The target did not answer: \(error.sentence)"
  }

  private init(_ status: Int, _ title: String, _ detail: String) {
    self.status = status
    self.title = title
    self.detail = detail
  }

  static func badRequest(_ detail: String) -> ProxyProblem { ProxyProblem(400, "Bad Request", detail) }
  static func tooLarge(_ detail: String) -> ProxyProblem { ProxyProblem(413, "Content Too Large", detail) }
  static func misdirected(_ detail: String) -> ProxyProblem { ProxyProblem(421, "Misdirected Request", detail) }
  static func badGateway(_ detail: String) -> ProxyProblem { ProxyProblem(502, "Bad Gateway", detail) }
  /// - Parameter what: `WebSocket`
  static func notSupported(_ what: String, _ detail: String) -> ProxyProblem {
    var problem = ProxyProblem(501, "Not Implemented", detail)
    problem.unsupported = what
    return problem
  }

  var text: String {
    JSONValue.object([
      "type": "about:blank", "title": .string(title), "status": JSONValue(status),
      "detail": .string("murphy record: \(detail)"),
    ]).text + "\n"
  }
}
