extension Store {
  /// The law featured on `day`, drawn from the seed: the same all day, another one on most other days.
  func lawOfTheDay(_ day: String) throws -> Law? {
    var numbers = SeededNumbers(seed: day.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    return try law(numbers.below(Catalogue.lawCount) + 1)
  }
}
