import Hummingbird

extension ReferenceAPI {
  /// The Expo push service as the family app Milo uses it, and the phones behind it.
  static let milo = ReferenceAPI(
    "milo", "the Expo push service as a family app uses it: tickets, receipts, phones",
    contract: "scenarios/milo/openapi.yaml", operations: Operation.milo,
    faults: Fault.ticketFaults + Fault.receiptFaults + Fault.deliveryFaults + Fault.miloContractFaults
  ) { try MiloStore(options: $0) }
}

extension MiloStore: ReferenceSystem {
  func endpoints(_ hooks: Hooks) -> [Endpoint] {
    let milo = MiloEndpoints(store: self, hooks: hooks.milo)
    return [
      Endpoint(.getExpoPushToken, milo.getExpoPushToken), Endpoint(.sendPush, milo.sendPush),
      Endpoint(.getReceipts, milo.getReceipts), Endpoint(.listNotifications, milo.listNotifications),
    ]
  }

  /// The project, as its access token names it. Nobody needs one; without it the limit counts by address.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    guard request.headers[.authorization] != nil else { return nil }
    guard let token = BearerToken.read(request), 1...200 ~= token.utf8.count else {
      throw APIError.unauthorized("Authorization must be Bearer with an access token.")
    }
    return Client(name: "project " + token)
  }

  func write(_ error: APIError, _ json: inout JSONWriter) {
    let code =
      switch error {
      case .invalid: "VALIDATION_ERROR"
      case .named(let code, _): code
      default: error.title.uppercased().replacing(" ", with: "_")
      }
    json.pushErrors(code, error.message)
  }

  func write(_ refusal: Refusal, _ json: inout JSONWriter) {
    json.pushErrors("TOO_MANY_REQUESTS", refusal.message, isTransient: true)
  }
}

extension JSONWriter {
  /// `errors` as the push service writes them: a list, and nearly always of one.
  fileprivate mutating func pushErrors(_ code: String, _ message: String, isTransient: Bool = false) {
    member("errors", each: [message]) { json, message in
      json.member("code", code)
      json.member("message", message)
      json.member("isTransient", isTransient)
    }
  }
}

/// The places where faults take hold in what the push service does.
struct MiloHooks: SystemHooks {
  /// The push token of a phone.
  var token = Hook<PhoneRegistration, String>()
  /// The tickets for the notifications of a request, in their order.
  var send = Hook<[Notification], [Ticket]>()
  /// Stores a notification that is on its way to its phone.
  var deliver = Hook<Delivery, Void>()
  /// The receipts that there are for some tickets.
  var receipts = Hook<[String], [Receipt]>()
  /// What a phone has shown.
  var phone = Hook<[Delivery], [Delivery]>()
}

extension Hooks {
  var milo: MiloHooks {
    get { self[MiloHooks.self] }
    set { self[MiloHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the push service, for effects on what it holds.
  var milo: MiloStore { system(MiloStore.self) }
}

extension Operation {
  /// The operations of the push service.
  static let milo = [getExpoPushToken, sendPush, getReceipts, listNotifications]

  static let getExpoPushToken = Operation(
    "getExpoPushToken", .post, "/--/api/v2/push/getExpoPushToken", limit: nil)
  static let sendPush = Operation("sendPush", .post, "/--/api/v2/push/send", limit: .notifications)
  static let getReceipts = Operation("getReceipts", .post, "/--/api/v2/push/getReceipts", limit: nil)
  static let listNotifications = Operation("listNotifications", .get, "/phones/:id/notifications", limit: nil)
}

extension ReferenceLimit {
  /// Notifications a second, of one project; a request counts as often as it has recipients.
  static let notifications = ReferenceLimit("notifications", allow: 600, per: 1, noun: "notifications")
}
