import HTTPTypes
import MurphyServer

/// The faults of single contacts, and those that change a finished response.
extension Fault {
  static let contactFaults = [
    Fault(
      "another-contact-under-id", .state, on: .getContact, frequency: .oneIn(3),
      "one getContact in 3 sends the next contact",
      .at(\.monica.contact) { id, rest in try await rest(id % MonicaStore.contactCount + 1) }),
    Fault(
      "contacts-mixed-up", .state, on: .getContact, "requests within 10 ms get the same contact",
      .at(\.monica.contact, keeping: SharedVariable<Contact>()) { variable, id, rest in
        guard let contact = try await rest(id) else { return nil }
        return try await variable.exchange(contact, waiting: 10)
      }),
    Fault(
      "contact-differs-from-list", .state, on: .getContact, "getContact sends no nickname, although listContacts does",
      .after(\.monica.contact) { _, contact in
        contact?.name.nickname = nil
        let last = contact?.name.last?.uppercased()
        contact?.name.last = last
      }),
    Fault(
      "counts-wrong", .state, on: .getContact, "number_of_notes is one too high",
      .after(\.monica.contact) { _, contact in contact?.notes += 1 }),
    Fault(
      "contact-changes", .state, on: .getContact, frequency: .oneIn(2),
      "is_starred is inverted every second time",
      .after(\.monica.contact) { _, contact in contact?.isStarred.toggle() }),
  ]

  static let monicaContractFaults = [
    Fault(
      "contact-without-initials", .contract, on: .getContact, "getContact leaves out initials",
      .body { $0.remove("initials") }),
    Fault(
      "id-as-text", .contract, on: .listContacts, "listContacts sends ids as strings",
      .body { $0.change("id") { "\"\($0)\"" } }),
    Fault(
      "starred-as-number", .contract, on: .listContacts, "listContacts sends is_starred as 0 or 1",
      .body { $0.change("is_starred") { $0 == "true" ? "1" : "0" } }),
    Fault(
      "bad-gender-type", .contract, on: .getContact, "getContact sends gender_type \"X\"",
      .body { $0.set("gender_type", to: "\"X\"") }),
    Fault(
      "date-with-space", .contract, on: .listContactNotes, "listContactNotes sends created_at with a space",
      .body { $0.change("created_at") { $0.replacing("T", with: " ") } }),
    Fault(
      "first-link-null", .contract, on: .listContacts, "links.first is null", .body { $0.set("first", to: "null") }),
    Fault(
      "meta-missing", .contract, on: .listTags, "listTags leaves out meta", .body { $0.remove("meta") }),
    Fault(
      "bare-array", .contract, on: .listContactGifts, "listContactGifts sends data as an object",
      .body { $0.changeBytes("data") { _ in Array("{}".utf8) } }),
    Fault(
      "rate-headers-missing", .contract, on: .getContact, "getContact leaves out X-RateLimit-Remaining",
      .answer { $0.headers[remaining] = nil }),
    Fault(
      "unauthorized-as-500", .contract, "a request without a token is answered with 500",
      .leaving(.unauthorized) { answer in answer = .internalError("Call to a member function on null") }),
    Fault(
      "not-found-as-html", .contract, on: .getContact, "a missing contact is answered with an HTML page",
      .leaving(.notFound) { answer in answer = .html(.notFound, title: "404 Not Found") }),
    Fault(
      "error-without-code", .contract, "errors leave out error_code",
      .after(\.error) { _, answer in answer.change { $0.remove("error_code") } }),
  ]

  private static let remaining = HTTPField.Name("X-RateLimit-Remaining")!
}
