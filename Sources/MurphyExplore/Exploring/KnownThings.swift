import MurphyContract
import MurphyEngine
import MurphyJSON

/// The things that responses of lists and creations named, so that a creation of a thing that exists is known as none.
struct KnownThings {
  private let makers: [Int: AnswerPlace]
  private let lists: [Int: JSONPointer]
  private var known: Set<String> = []
  private static let most = 100_000

  init(_ contract: Contract) {
    let index = ProducerIndex(contract)
    makers = Dictionary(index.makers.values.map { ($0.operation, $0.place) }, uniquingKeysWith: { first, _ in first })
    lists = Dictionary(
      index.lists.values.compactMap { list in
        guard case .body(let pointer) = list.place else { return nil }
        return (list.operation, pointer)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// - Returns: whether the request succeeded as a creation, and its response names a thing that was known before.
  mutating func saw(_ performed: CaseRunner.Performed) -> Bool {
    guard performed.isSuccess, performed.call.method == nil, let answer = try? performed.ending.get() else {
      return false
    }
    let operation = performed.call.operation
    let path = String(performed.request.target.prefix { $0 != "?" })
    if performed.request.method == "DELETE" { known.remove(path) }
    guard known.count < Self.most else { return false }
    if let place = lists[operation], let tokens = Self.item(place) {
      let items = JSONPointer(tokens: tokens.list).resolve(in: performed.json ?? .null)?.array ?? []
      for item in items {
        if let id = JSONPointer(tokens: tokens.field).resolve(in: item) {
          known.insert("\(path)/\(id.string ?? id.text)")
        }
      }
    }
    guard performed.request.method == "POST", let place = makers[operation],
      let id = place.value(in: answer, json: performed.json)
    else { return false }
    return !known.insert("\(path)/\(id.string ?? id.text)").inserted
  }

  /// `/data/0/id`: the list `/data` and the field `/id`.
  private static func item(_ pointer: JSONPointer) -> (list: [String], field: [String])? {
    guard let index = pointer.tokens.lastIndex(of: "0") else { return nil }
    return (Array(pointer.tokens[..<index]), Array(pointer.tokens[(index + 1)...]))
  }
}
