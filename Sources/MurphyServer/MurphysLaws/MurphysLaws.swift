import HTTPTypes
import Hummingbird

extension ReferenceAPI {
  /// Murphy's Laws: browse, search, vote, submit.
  package static let murphysLaws = ReferenceAPI(
    "murphys-laws", "laws to browse, search, vote on and submit, and notifications of the law of the day",
    contract: "scenarios/murphys-laws/openapi.yaml", operations: Operation.laws,
    faults: Fault.lawContractFaults + Fault.lawLatencyFaults + Fault.lawRegressionFaults + Fault.voteFaults
      + Fault.readingFaults + Fault.collectionFaults + Fault.notificationFaults + Fault.lawTransportFaults
  ) { try MurphysLaws(store: Store(options: $0)) }
}

/// The API of Murphy's Laws at work.
struct MurphysLaws: ReferenceSystem {
  let store: Store

  func routes(_ hooks: Hooks) -> [Route] {
    let hooks = hooks.laws
    return [
      Route(
        "/api/v1/laws", (.get, ListLaws(store: store, hooks: hooks)), (.post, SubmitLaw(store: store, hooks: hooks))),
      Route("/api/v1/laws/:id", (.get, GetLaw(store: store, hooks: hooks))),
      Route(
        "/api/v1/laws/:id/vote", (.post, VoteLaw(store: store, hooks: hooks)),
        (.delete, RemoveVote(store: store, hooks: hooks))),
      Route("/api/v1/law-of-day", (.get, GetLawOfTheDay(store: store, hooks: hooks))),
      Route("/api/v1/categories", (.get, ListCategories(store: store))),
      Route("/api/v1/attributions", (.get, ListAttributions(store: store))),
      Route("/api/v1/share-calculation", (.post, ShareCalculation(store: store))),
      Route("/api/v1/notifications/register", (.post, RegisterDevice(store: store, hooks: hooks))),
      Route("/api/v1/notifications/unregister", (.delete, UnregisterDevice(store: store, hooks: hooks))),
      Route(
        "/api/v1/notifications/preferences", (.get, GetPreferences(store: store, hooks: hooks)),
        (.put, SetPreferences(store: store, hooks: hooks))),
    ]
  }

  /// The device, under whose name votes are kept.
  ///
  /// - Throws: if `X-Device-ID` is not of the documented form: 1 to 64 of `A-Z a-z 0-9 . _ : -`.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    guard let device = request.headers[Self.deviceID] else { return nil }
    guard DeviceID.isValid(device) else {
      throw APIError.invalid("X-Device-ID", "X-Device-ID" + DeviceID.form)
    }
    return Client(name: "device " + device)
  }

  private static let deviceID = HTTPField.Name("X-Device-ID")!

  let errors = ErrorFormat { error, json in
    json.object { json in
      json.member("error", error.title)
      json.member("message", error.message)
      if case .invalid(let field, _) = error {
        json.member("field", field)
      }
    }
  } refusal: { refusal, json in
    json.object { json in
      json.member("error", "Rate limit exceeded")
      json.member("message", refusal.message)
      json.member("retry_after", refusal.retryAfter)
    }
  }

  let requestHeaders = "Content-Type, X-Device-ID"

  func close() { store.close() }
}

/// The name that a client has drawn for its device.
enum DeviceID {
  static let form = " must be 1 to 64 characters of A-Z a-z 0-9 . _ : -"
  static let rule = "device_id" + form

  static func isValid(_ text: String) -> Bool {
    let isKnown = text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, 45, 46, 58, 95: true
      default: false
      }
    }
    return isKnown && 1...64 ~= text.utf8.count
  }
}
