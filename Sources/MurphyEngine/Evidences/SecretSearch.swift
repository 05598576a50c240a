import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyTransport

/// The secrets of one exchange: what the session knows, what stands in secret fields, and what the bodies hold under
/// secret names.
struct SecretSearch {
  let context: RunContext
  private(set) var found: [Secret] = []

  init(_ context: RunContext, _ transfer: Transfer, _ request: PreparedRequest, known: [Secret]) {
    self.context = context
    found = known
    for field in request.http.headers + transfer.headers { add(field) }
    let names = context.secretMembers[request.operation]
    if let body = request.http.body { add(body, names) }
    if !transfer.bodyBytes.isEmpty { add(Array(transfer.bodyBytes), names) }
  }

  private mutating func add(_ field: HeaderField) {
    for value in context.mask.secrets(in: field) { found.append(Secret(value, ShellVariable("SECRET", field.name))) }
  }

  private mutating func add(_ body: [UInt8], _ names: Set<String>) {
    guard let text = String(validating: body, as: UTF8.self) else { return }
    if let value = try? JSONValue.parse(text) { return add(value, names) }
    // A form.
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, names.contains(String(parts[0])) else { continue }
      let value = String(parts[1].replacing("+", with: " "))
      found.append(Secret(value.removingPercentEncoding ?? value, ShellVariable("SECRET", String(parts[0]))))
    }
  }

  private mutating func add(_ value: JSONValue, _ names: Set<String>) {
    switch value {
    case .object(let object):
      for member in object.members {
        if names.contains(member.key) {
          for leaf in member.value.leaves { found.append(Secret(leaf, ShellVariable("SECRET", member.key))) }
        } else {
          add(member.value, names)
        }
      }
    case .array(let elements): for element in elements { add(element, names) }
    case .string, .number, .bool, .null: break
    }
  }
}
