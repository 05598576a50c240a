/// Suggests what was meant by a mistyped name.
enum NearestName {
  /// The candidate with the fewest insertions, deletions and substitutions (Levenshtein), if at most a third of it is
  /// wrong.
  static func find(_ name: String, among candidates: [String]) -> String? {
    let typed = Array(name.lowercased())
    return
      candidates
      .map { (name: $0, distance: distance(typed, Array($0.lowercased()))) }
      .filter { $0.distance <= max($0.name.count, typed.count) / 3 }
      .min { $0.distance < $1.distance }?.name
  }

  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        (diagonal, row[j + 1]) = (row[j + 1], min(row[j] + 1, row[j + 1] + 1, diagonal + (a[i] == b[j] ? 0 : 1)))
      }
    }
    return row[b.count]
  }
}
