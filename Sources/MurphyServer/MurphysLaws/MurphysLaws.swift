import HTTPTypes
import Hummingbird

extension ReferenceAPI {
  /// Murphy's Laws: browse, search, vote, submit.
  package static let murphysLaws = ReferenceAPI(
    "murphys-laws", "laws to browse, search, vote on and submit, and notifications of the law of the day",
    contract: "scenarios/murphys-laws/openapi.yaml", operations: Operation.laws,
    faults: Fault.lawContractFaults + Fault.lawLatencyFaults + Fault.lawRegressionFaults + Fault.voteFaults
      + Fault.readingFaults + Fault.collectionFaults + Fault.notificationFaults + Fault.lawTransportFaults
  ) { try LawStore(options: $0) }
}

extension LawStore: ReferenceSystem {
  func endpoints(_ hooks: Hooks) -> [Endpoint] {
    let laws = LawEndpoints(store: self, hooks: hooks.laws)
    return [
      Endpoint(.listLaws, laws.listLaws), Endpoint(.getLaw, laws.getLaw), Endpoint(.submitLaw, laws.submitLaw),
      Endpoint(.voteLaw, laws.voteLaw), Endpoint(.removeVote, laws.removeVote),
      Endpoint(.getLawOfTheDay, laws.getLawOfTheDay), Endpoint(.listCategories, laws.listCategories),
      Endpoint(.listAttributions, laws.listAttributions), Endpoint(.shareCalculation, laws.shareCalculation),
      Endpoint(.registerDevice, laws.registerDevice), Endpoint(.unregisterDevice, laws.unregisterDevice),
      Endpoint(.getPreferences, laws.getPreferences), Endpoint(.setPreferences, laws.setPreferences),
    ]
  }

  /// The device to which votes belong.
  ///
  /// - Throws: if `X-Device-ID` does not have the documented form: 1 to 64 of `A-Z a-z 0-9 . _ : -`.
  func client(of request: Request, for operation: Operation) throws -> Client? {
    guard let device = request.headers[Self.deviceID] else { return nil }
    guard DeviceID.isValid(device) else {
      throw APIError.invalid("X-Device-ID", "X-Device-ID" + DeviceID.form)
    }
    return Client(name: "device " + device)
  }

  private static let deviceID = HTTPField.Name("X-Device-ID")!

  func write(_ error: APIError, _ json: inout JSONWriter) {
    json.member("error", error.title)
    json.member("message", error.message)
    if case .invalid(let field, _) = error { json.member("field", field) }
  }

  func write(_ refusal: Refusal, _ json: inout JSONWriter) {
    json.member("error", "Rate limit exceeded")
    json.member("message", refusal.message)
    json.member("retry_after", refusal.retryAfter)
  }

  var requestHeaders: String { "Content-Type, X-Device-ID" }
}

/// The name that a client has generated for its device.
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

/// The hooks of faults in the work of Murphy's Laws.
struct LawHooks: SystemHooks {
  /// The page of laws from the store.
  var list = Hook<LawQuery, LawPage>()
  /// One law, as stored.
  var law = Hook<Law, Law>()
  /// The featured law of a day.
  var lawOfTheDay = Hook<String, Law?>()
  /// Stores a submission; returns its id.
  var submit = Hook<Submission, Int>()
  /// Stores a vote; returns the counts afterwards, or nil if the law does not exist.
  var vote = Hook<Vote, VoteCounts?>()
  /// Registers a device for notifications.
  var register = Hook<NotificationRegistration, NotificationSettings?>()
  /// Changes the settings of a device; nil if it is not registered.
  var prefer = Hook<NotificationPreferences, NotificationSettings?>()
  /// The settings of a device, as stored.
  var preferences = Hook<NotificationSettings, NotificationSettings>()
  /// Removes a device; false if it is not registered.
  var unregister = Hook<String, Bool>()
}

extension Hooks {
  var laws: LawHooks {
    get { self[LawHooks.self] }
    set { self[LawHooks.self] = newValue }
  }
}

extension FaultInstaller {
  /// The database of the laws, for effects on its data.
  var laws: LawStore { system(LawStore.self) }
}

extension Operation {
  /// The operations of Murphy's Laws.
  package static let laws = [
    listLaws, getLaw, submitLaw, voteLaw, removeVote, getLawOfTheDay, listCategories, listAttributions,
    shareCalculation, registerDevice, unregisterDevice, getPreferences, setPreferences,
  ]

  /// A page of laws, filtered and sorted.
  package static let listLaws = Operation("listLaws", .get, "/api/v1/laws", limit: .reading("listLaws"))
  /// One law.
  package static let getLaw = Operation("getLaw", .get, "/api/v1/laws/:id", limit: .reading("getLaw"))
  /// Sends a new law for review.
  package static let submitLaw = Operation(
    "submitLaw", .post, "/api/v1/laws", limit: ReferenceLimit("submitLaw", allow: 3, noun: "submissions"))
  /// Votes on a law; the last vote of a device counts.
  package static let voteLaw = Operation("voteLaw", .post, "/api/v1/laws/:id/vote", limit: .votes)
  /// Removes the vote of a device.
  package static let removeVote = Operation("removeVote", .delete, "/api/v1/laws/:id/vote", limit: .votes)
  /// The featured law of a day.
  package static let getLawOfTheDay = Operation(
    "getLawOfTheDay", .get, "/api/v1/law-of-day", limit: .reading("getLawOfTheDay"))
  /// All categories with their numbers of laws.
  package static let listCategories = Operation(
    "listCategories", .get, "/api/v1/categories", limit: .reading("listCategories"))
  /// The names of all people to whom laws are attributed.
  package static let listAttributions = Operation(
    "listAttributions", .get, "/api/v1/attributions", limit: .reading("listAttributions"))
  package static let shareCalculation = Operation(
    "shareCalculation", .post, "/api/v1/share-calculation",
    limit: ReferenceLimit("shareCalculation", allow: 5, noun: "shared calculations"))
  /// Registers a device for notifications.
  package static let registerDevice = Operation(
    "registerDevice", .post, "/api/v1/notifications/register", limit: .notificationSettings)
  /// Ends the notifications of a device.
  package static let unregisterDevice = Operation(
    "unregisterDevice", .delete, "/api/v1/notifications/unregister", limit: .notificationSettings)
  /// The notification settings of a device.
  package static let getPreferences = Operation(
    "getPreferences", .get, "/api/v1/notifications/preferences", limit: .reading("getPreferences"))
  /// Replaces the notification settings of a device.
  package static let setPreferences = Operation(
    "setPreferences", .put, "/api/v1/notifications/preferences", limit: .notificationSettings)
}

/// One limit for each operation, as in the API's architecture document. Giving and removing votes share one limit, and
/// so do changes of notification settings.
extension ReferenceLimit {
  /// The votes of a device, of which few are allowed.
  package static let votes = ReferenceLimit("votes", allow: 30, noun: "votes")
  static let notificationSettings = ReferenceLimit(
    "notificationSettings", allow: 20, noun: "changes of notification settings")

  fileprivate static func reading(_ operation: String) -> ReferenceLimit {
    ReferenceLimit(operation, allow: 60, isRead: true)
  }
}
