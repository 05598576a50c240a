import Foundation
import MurphyModel
import Testing

@Suite struct FindingKindTests {
  @Test(arguments: FindingKind.allCases)
  func `an id is its family and its name, and its rule is a sentence`(_ kind: FindingKind) {
    #expect(kind.rawValue == "\(kind.family.rawValue).\(kind.name)")
    #expect(kind.rawValue.allSatisfy { $0.isLowercase || $0 == "." || $0 == "-" })
    #expect(kind.rule.kind == kind)
    #expect(kind.rule.sentence.hasSuffix(".") && kind.rule.sentence.first?.isUppercase == true)
  }

  @Test func `every relation has a kind by its own name`() {
    for rule in RelationRule.allCases { #expect(rule.kind.rawValue == "relation.\(rule.rawValue)") }
  }

  @Test func `every way to walk around a limiter is found by its own kind`() {
    let kinds = ProbeDimension.allCases.map(\.keyKind) + ProbeDimension.allCases.compactMap(\.bypassKind)
    #expect(Set(kinds).count == kinds.count)
    for dimension in ProbeDimension.allCases {
      let slug = dimension.rawValue.lowercased().replacing(" ", with: "-")
      #expect(dimension.keyKind.name == "key.\(slug)")
      #expect(dimension.bypassKind.map { $0.name == "bypass.\(slug)" } ?? true)
    }
    #expect(ProbeDimension.allCases.filter(\.isSpoof) == [.forwardedFor, .realIP, .forwarded])
  }
}
