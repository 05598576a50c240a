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

/// The places where faults take hold in what Murphy's Laws do.
struct LawHooks: SystemHooks {
  /// The page of laws that the store finds.
  var list = Hook<LawQuery, LawPage>()
  /// One law, as the store holds it.
  var law = Hook<Law, Law>()
  /// The law that the store features on a day.
  var lawOfTheDay = Hook<String, Law?>()
  /// Stores a submission; its id.
  var submit = Hook<Submission, Int>()
  /// Stores a vote; the counts afterwards, or nil without such a law.
  var vote = Hook<Vote, VoteCounts?>()
  /// Registers a device for notifications.
  var register = Hook<NotificationRegistration, NotificationSettings?>()
  /// Changes what a device wants; nil for one that is not registered.
  var prefer = Hook<NotificationPreferences, NotificationSettings?>()
  /// What a device wants, as the store holds it.
  var preferences = Hook<NotificationSettings, NotificationSettings>()
  /// Forgets a device; false for one that is not registered.
  var unregister = Hook<String, Bool>()
}

extension Hooks {
  var laws: LawHooks {
    get { self[LawHooks.self] }
    set { self[LawHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the laws, for effects on what it holds.
  var store: Store { system(MurphysLaws.self).store }
}

extension Operation {
  /// The operations of Murphy's Laws.
  package static let laws = [
    listLaws, getLaw, submitLaw, voteLaw, removeVote, getLawOfTheDay, listCategories, listAttributions,
    shareCalculation, registerDevice, unregisterDevice, getPreferences, setPreferences,
  ]

  package static let listLaws = Operation("listLaws", limit: .listLaws)
  package static let getLaw = Operation("getLaw", limit: .getLaw)
  package static let submitLaw = Operation("submitLaw", limit: .submitLaw)
  package static let voteLaw = Operation("voteLaw", limit: .votes)
  package static let removeVote = Operation("removeVote", limit: .votes)
  package static let getLawOfTheDay = Operation("getLawOfTheDay", limit: .getLawOfTheDay)
  package static let listCategories = Operation("listCategories", limit: .listCategories)
  package static let listAttributions = Operation("listAttributions", limit: .listAttributions)
  package static let shareCalculation = Operation("shareCalculation", limit: .shareCalculation)
  package static let registerDevice = Operation("registerDevice", limit: .notificationSettings)
  package static let unregisterDevice = Operation("unregisterDevice", limit: .notificationSettings)
  package static let getPreferences = Operation("getPreferences", limit: .getPreferences)
  package static let setPreferences = Operation("setPreferences", limit: .notificationSettings)
}

/// One limit for each operation, as the API's architecture document promises; votes given and taken back share one, and
/// so do changes of notification settings.
extension ReferenceLimit {
  package static let listLaws = ReferenceLimit("listLaws", allow: 60, isRead: true)
  package static let getLaw = ReferenceLimit("getLaw", allow: 60, isRead: true)
  package static let getLawOfTheDay = ReferenceLimit("getLawOfTheDay", allow: 60, isRead: true)
  package static let listCategories = ReferenceLimit("listCategories", allow: 60, isRead: true)
  package static let listAttributions = ReferenceLimit("listAttributions", allow: 60, isRead: true)
  package static let submitLaw = ReferenceLimit("submitLaw", allow: 3, noun: "submissions")
  package static let votes = ReferenceLimit("votes", allow: 30, noun: "votes")
  package static let getPreferences = ReferenceLimit("getPreferences", allow: 60, isRead: true)
  package static let notificationSettings = ReferenceLimit(
    "notificationSettings", allow: 20, noun: "changes of notification settings")
  package static let shareCalculation = ReferenceLimit("shareCalculation", allow: 5, noun: "shared calculations")
}
