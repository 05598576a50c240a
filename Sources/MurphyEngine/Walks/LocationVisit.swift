import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// Requests the created items of the load at the locations in the responses (RFC 9110 §10.2.2, §15.3.2).
struct LocationVisit {
  let client: WalkClient
  let contract: Contract
  /// The record of the finished load.
  let record: RunRecord
  let origin: Origin

  func run() async {
    for created in record.relations.created {
      // Another origin gets no request, and an item that may be deleted by now need not exist.
      guard case .within(let target) = Redirect(created.location, from: created.target, at: origin),
        !mayBeDeleted(target)
      else { continue }
      let headers = created.headers.filter { !Self.aboutTheBody.contains($0.name.lowercased()) }
      let request = HTTPRequest(method: "GET", target: target, headers: headers)
      guard let answer = await client.ask(request, Int(created.operation)) else { return }
      let isBeside = target.prefix { $0 != "?" }.split(separator: "/").dropLast().elementsEqual(
        created.target.prefix { $0 != "?" }.split(separator: "/"))
      recordResult(
        complaint(answer, created), answer, created, severity: isBeside || answer.status != 200 ? .error : .warning)
    }
  }

  private static let aboutTheBody: Set<String> = ["content-type", "content-length", "idempotency-key", "if-match"]

  /// - Parameter severity: the id at a location elsewhere than the request's path may belong to another item.
  private func recordResult(
    _ message: String?, _ answer: WalkClient.Answer, _ created: RelationLog.Created, severity: Finding.Severity
  ) {
    // A rejection, a failure or an unreadable response does not show the location of the item.
    guard message != nil || answer.status == 200 else { return }
    client.recordProbe(
      RelationLog.Probe(
        operation: created.operation, rule: .location, message: message, severity: severity,
        evidence: message == nil ? nil : client.evidence(answer)))
  }

  private func complaint(_ answer: WalkClient.Answer, _ created: RelationLog.Created) -> String? {
    if answer.status == 404 || answer.status == 410 {
      return "the Location of the created item returns \(answer.status)"
    }
    guard answer.status == 200, let made = Self.id(try? JSONValue.parse(created.body)),
      let found = Self.id(answer.value),
      made != found
    else { return nil }
    return "the Location of the created item returns another item"
  }

  /// The `id` of an item, also within `data` and similar fields.
  private static func id(_ value: JSONValue?) -> JSONValue? { value?["id"] ?? value?["data"]?["id"] }

  private func mayBeDeleted(_ target: String) -> Bool {
    let path = target.prefix { $0 != "?" }.split(separator: "/")
    let called = Set(record.operations.filter { $0.sent > 0 }.map(\.operation))
    return contract.operations.contains { operation in
      guard operation.method == "DELETE", called.contains(operation.id) else { return false }
      let pattern = operation.path.split(separator: "/")
      return pattern.count <= path.count && zip(pattern, path).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
  }
}
