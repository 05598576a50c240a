import MurphyContract
import MurphyJSON

/// Which texts of a body are new in each run: an API may want names, addresses and numbers that nobody has.
struct FreshPlaces {
  private let contract: Contract
  private let patterns: Bool

  init(_ contract: Contract, patterns: Bool) {
    self.contract = contract
    self.patterns = patterns
  }

  func places(of schema: SchemaSite, in body: JSONValue) -> [JSONPointer: Freshness] {
    var texts = TextPlaces(contract)
    var fresh: [JSONPointer: Freshness] = [:]
    for place in texts.places(of: schema, in: body) where place.least <= place.most {
      fresh[place.pointer] = freshness(place)
    }
    return fresh
  }

  private func freshness(_ place: TextPlaces.Place) -> Freshness? {
    if let pattern = place.pattern {
      return patterns ? .pattern(pattern, least: place.least, most: place.most) : nil
    }
    switch place.format {
    case "uuid": return patterns ? .uuid : nil
    case "email": return .email
    // Shorter ones are codes: of a language, a currency, a country.
    case nil: return place.most >= 15 && place.least <= 15 ? .word(most: place.most) : nil
    default: return nil
    }
  }
}
