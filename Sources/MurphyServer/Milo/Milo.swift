import Hummingbird

extension ReferenceAPI {
  /// The Expo push service as the family app Milo uses it, and the phones behind it.
  package static let milo = ReferenceAPI(
    "milo", "the Expo push service as a family app uses it: tickets, receipts, phones",
    contract: "scenarios/milo/openapi.yaml", operations: Operation.milo,
    faults: Fault.ticketFaults + Fault.receiptFaults + Fault.deliveryFaults + Fault.miloContractFaults
  ) { try Milo(store: MiloStore(options: $0)) }
}

/// The push service at work.
struct Milo: ReferenceSystem {
  let store: MiloStore

  func routes(_ hooks: Hooks) -> [Route] {
    let hooks = hooks.milo
    return [
      Route("/--/api/v2/push/getExpoPushToken", (.post, GetExpoPushToken(store: store, hooks: hooks))),
      Route("/--/api/v2/push/send", (.post, SendPush(store: store, hooks: hooks))),
      Route("/--/api/v2/push/getReceipts", (.post, GetReceipts(store: store, hooks: hooks))),
      Route("/phones/:id/notifications", (.get, ListNotifications(store: store, hooks: hooks))),
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

  let errors = ErrorFormat { error, json in
    json.pushErrors(Milo.code(of: error), error.message)
  } refusal: { refusal, json in
    json.pushErrors("TOO_MANY_REQUESTS", refusal.message, isTransient: true)
  }

  private static func code(of error: APIError) -> String {
    switch error {
    case .invalid: "VALIDATION_ERROR"
    case .named(let code, _): code
    case .unauthorized: "UNAUTHORIZED"
    case .notFound: "NOT_FOUND"
    case .methodNotAllowed: "METHOD_NOT_ALLOWED"
    case .tooLarge: "PAYLOAD_TOO_LARGE"
    case .unsupportedMediaType: "UNSUPPORTED_MEDIA_TYPE"
    }
  }

  let requestHeaders = "Authorization, Content-Type"

  func close() { store.close() }
}

extension JSONWriter {
  /// `errors` as the push service writes them: a list, and nearly always of one.
  fileprivate mutating func pushErrors(_ code: String, _ message: String, isTransient: Bool = false) {
    object { json in
      json.member("errors", each: [message]) { json, message in
        json.object { json in
          json.member("code", code)
          json.member("message", message)
          json.member("isTransient", isTransient)
        }
      }
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
  var milo: MiloStore { system(Milo.self).store }
}

extension Operation {
  /// The operations of the push service.
  package static let milo = [getExpoPushToken, sendPush, getReceipts, listNotifications]

  package static let getExpoPushToken = Operation("getExpoPushToken", limit: nil)
  package static let sendPush = Operation("sendPush", limit: .notifications)
  package static let getReceipts = Operation("getReceipts", limit: nil)
  package static let listNotifications = Operation("listNotifications", limit: nil)
}

extension ReferenceLimit {
  /// Notifications a second, of one project; a request counts as often as it has recipients.
  package static let notifications = ReferenceLimit("notifications", allow: 600, per: 1, noun: "notifications")
}
