import MurphyContract
import MurphyModel
import MurphyScenario

/// The properties of operations for the relation log: which ones write, and where their paths name an item.
///
/// A class, because a copy of the value would retain each of its parts, and every write reads it.
final class RelationInterest: Sendable {
  /// Nil where the scenario disables all relations, or the contract has none.
  let relations: ContractRelations?
  let writes: [Bool]
  /// By operation: the index of the path segment that names the changed item, from 0; -1 without one.
  let itemSegments: [Int]
  /// By operation: true if that segment is an integer.
  let hasIntegers: [Bool]
  /// By operation: the strings of its body that its response returns.
  let returns: [ReturnShape?]

  init(scenario: Scenario, contract: Contract) {
    let found = ContractRelations(contract, promises: scenario.expectations.relations.lists)
    let isOff = scenario.expectations.relations.all.isOff
    let isEmpty = found.collections.isEmpty && found.items.isEmpty && found.returns.allSatisfy { $0 == nil }
    relations = isOff || isEmpty ? nil : found
    let writings = found.writings(contract)
    let isLogged = relations != nil
    writes = writings.map { $0 != nil && isLogged }
    itemSegments = writings.map { $0?.segment ?? -1 }
    returns = found.returns
    hasIntegers = writings.map { $0?.collection.flatMap { found.collections[$0].id?.isInteger } ?? true }
  }
}

extension RelationInterest {
  /// True if a request with this method may change something although its operation reads. An exploration sends such
  /// requests.
  func isStrangeWrite(_ method: String) -> Bool {
    relations != nil && !ContractRelations.reads(method: method)
  }

  /// The number of the item that the path of a write names; 0 for none.
  func item(_ target: String, of operation: Int) -> Int64 {
    let segment = itemSegments[operation]
    guard segment >= 0 else { return 0 }
    let isInteger = hasIntegers[operation]
    let read = target.utf8.withContiguousStorageIfAvailable {
      Self.item(UnsafeRawBufferPointer($0), segment, isInteger: isInteger)
    }
    if let item = read.flatMap(\.self) { return item }
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    guard segment < parts.count else { return 0 }
    return RelationHash.id(PercentEncoding.decode(parts[segment]), isInteger: isInteger) ?? 0
  }

  /// The same without a `String`. Nil where one is needed, for percent-encoding and signs.
  private static func item(_ target: UnsafeRawBufferPointer, _ segment: Int, isInteger: Bool) -> Int64? {
    var (index, number) = (0, -1)
    while index < target.count, target[index] != UInt8(ascii: "?") {
      if target[index] == UInt8(ascii: "/") {
        index += 1
        continue
      }
      let start = index
      while index < target.count, target[index] != UInt8(ascii: "/"), target[index] != UInt8(ascii: "?") { index += 1 }
      number += 1
      guard number == segment else { continue }
      let part = UnsafeRawBufferPointer(rebasing: target[start..<index])
      return isInteger
        ? integer(part) : part.contains(UInt8(ascii: "%")) ? nil : Int64(bitPattern: RelationHash.of(part))
    }
    return 0
  }

  private static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    guard digits.count <= 18 else { return nil }
    var value: Int64 = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int64(digit - UInt8(ascii: "0"))
    }
    return value
  }
}
