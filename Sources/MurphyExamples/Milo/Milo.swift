import Hummingbird
import MurphyServer

extension ReferenceAPI {
  /// The Expo push service as the family app Milo uses it, with the phones of its users.
  static let milo = ReferenceAPI(
    "milo", "the Expo push service as a family app uses it: tickets, receipts, phones",
    contract: "scenarios/milo/openapi.yaml", operations: Operation.milo,
    faults: Fault.ticketFaults + Fault.receiptFaults + Fault.deliveryFaults + Fault.miloContractFaults
  ) { try MiloStore(options: $0) }
}

extension MiloStore: ReferenceSystem {
  /// Registration, sending, receipts, and the screens of the phones.
  package func endpoints(_ hooks: Hooks) -> [Endpoint] {
    let milo = MiloEndpoints(store: self, hooks: hooks.milo)
    return [
      Endpoint(.getExpoPushToken, milo.getExpoPushToken), Endpoint(.sendPush, milo.sendPush),
      Endpoint(.getReceipts, milo.getReceipts), Endpoint(.listNotifications, milo.listNotifications),
    ]
  }

  /// The project, identified by its access token. No operation requires one; without it the limit counts by address.
  package func client(of request: Request, for operation: Operation) throws -> Client? {
    guard request.headers[.authorization] != nil else { return nil }
    guard let token = BearerToken.read(request), 1...200 ~= token.utf8.count else {
      throw APIError.unauthorized("Authorization must be Bearer with an access token.")
    }
    return Client(name: "project " + token)
  }

  /// The error in the form of the push service: a list with a code.
  package func write(_ error: APIError, _ json: inout JSONWriter) {
    let code =
      switch error {
      case .invalid: "VALIDATION_ERROR"
      case .named(let code, _): code
      default: error.title.uppercased().replacing(" ", with: "_")
      }
    json.pushErrors(code, error.message)
  }

  /// The same for a rate limit, marked as transient.
  package func write(_ refusal: Refusal, _ json: inout JSONWriter) {
    json.pushErrors("TOO_MANY_REQUESTS", refusal.message, isTransient: true)
  }
}

extension JSONWriter {
  /// `errors` in the form of the push service: a list, nearly always with one element.
  fileprivate mutating func pushErrors(_ code: String, _ message: String, isTransient: Bool = false) {
    member("errors", each: [message]) { json, message in
      json.member("code", code)
      json.member("message", message)
      json.member("isTransient", isTransient)
    }
  }
}

/// The hooks of faults in the push service's work.
struct MiloHooks: SystemHooks {
  /// The push token of a phone.
  var token = Hook<PhoneRegistration, String>()
  /// The tickets for the notifications of a request, in order.
  var send = Hook<[Notification], [Ticket]>()
  /// Stores a notification that is being delivered to its phone.
  var deliver = Hook<Delivery, Void>()
  /// The available receipts for some tickets.
  var receipts = Hook<[String], [Receipt]>()
  /// The notifications that a phone has displayed.
  var phone = Hook<[Delivery], [Delivery]>()
}

extension Hooks {
  var milo: MiloHooks {
    get { self[MiloHooks.self] }
    set { self[MiloHooks.self] = newValue }
  }
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
  /// Notifications per second, of one project. A request counts once for each recipient.
  static let notifications = ReferenceLimit("notifications", allow: 600, per: .seconds(1), noun: "notifications")
}
