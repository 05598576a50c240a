import MurphyContract
import MurphyScenario
import MurphySchema

extension OperationCases {
  /// The call of other clients: without credentials, with wrong ones, by another user.
  func credentials() -> [ExploreCase] {
    let alternatives = operation.security
    let schemes = alternatives.flatMap(\.schemes).compactMap { contract.securitySchemes[$0] }
    guard !alternatives.isEmpty, alternatives.allSatisfy({ !$0.schemes.isEmpty }),
      schemes.contains(where: { $0.kind != .mutualTLS })
    else { return [] }
    let isOff = !documents(401) && !documents(403)
    func made(_ caller: ExploreCall.Caller, _ about: String) -> ExploreCase {
      self.made(.unauthorised, .auth, "credentials", "security", about) {
        $0.caller = caller
        $0.isOffContract = isOff
      }
    }
    var cases = [made(.none, "without credentials"), made(.wrong, "with unknown credentials")]
    if schemes.contains(where: \.isBearer) {
      cases.append(made(.wrongScheme, "with the token as a Basic password"))
    }
    // A documented 403 means that not every user may call it.
    if hasOtherUser, operation.responses.contains(where: { $0.status == .exactly(403) }), base.count > 1 {
      cases.append(
        self.made(.forbidden, .auth, "credentials", "owner", "as another user") { $0.caller = .other })
    }
    return cases
  }

  /// Methods that the path does not document, and headers that no contract forbids.
  func protocolCases() -> [ExploreCase] {
    let shape = PathShape(operation.path)
    let siblings = contract.operations.filter { $0.isDocumented && PathShape($0.path) == shape }
    var cases: [ExploreCase] = []
    if siblings.first?.id == operation.id {
      let taken = Set(siblings.map(\.method))
      for method in ["GET", "PUT", "POST", "PATCH", "DELETE"] where !taken.contains(method) && mayTry(method) {
        cases.append(
          made(.methodRefused, .negative, "method", "method", "\(method), which is not documented") {
            $0.method = method
            $0.isOffContract = true
            if method == "GET" || method == "DELETE" { $0.leavesOutBody = true }
          })
      }
    }
    if operation.method == "GET" {
      cases.append(
        made(.anything, .negative, "header Accept", "media type", "an unknown response type") {
          $0.headers.append(ExploreCall.Named(name: "Accept", value: .literal("application/x-murphy")))
          $0.isOffContract = true
        })
      cases.append(
        made(.anything, .positive, "method", "method", "HEAD") {
          $0.method = "HEAD"
          $0.isOffContract = true
        })
    }
    if let index = call.headers.firstIndex(where: { $0.name == "If-Match" }) {
      cases.append(
        made(.refused, .negative, "header If-Match", "If-Match", "an ETag that the item never had") {
          $0.headers[index].value = .literal("\"murphy-stale\"")
          $0.isOffContract = !documents(412)
        })
      let isRequired = operation.parameters.contains { $0.name.lowercased() == "if-match" && $0.isRequired }
      if isRequired || documents(428) && operation.responses.contains(where: { $0.status == .exactly(428) }) {
        cases.append(
          made(.refused, .negative, "header If-Match", "required", "If-Match omitted") {
            $0.headers.remove(at: index)
          })
      }
    }
    cases.append(
      made(.anything, .positive, "query", "additional", "an undocumented parameter") {
        $0.rawQuery = "murphy_extra=1"
      })
    return cases
  }
}

extension SecurityScheme {
  fileprivate var isBearer: Bool {
    switch kind {
    case .http(let scheme): scheme == "bearer"
    case .token: true
    case .apiKey, .mutualTLS: false
    }
  }
}
