/// The candidate nearest to `name` by edit distance, if one is near enough to be what was meant.
///
/// Near enough: at most a third of the longer name's letters, and at least one allowed.
package func nearestName(to name: String, among candidates: some Sequence<String>) -> String? {
  let typed = Array(name.lowercased().unicodeScalars)
  var best: (distance: Int, candidate: String)?
  for candidate in candidates where candidate != name {
    let other = Array(candidate.lowercased().unicodeScalars)
    let distance = editDistance(typed, other)
    guard distance <= max(max(typed.count, other.count) / 3, 1), distance < max(other.count, 1) else { continue }
    if best == nil || (distance, candidate) < (best!.distance, best!.candidate) { best = (distance, candidate) }
  }
  return best?.candidate
}

/// `. Did you mean "listLaws"?`, for the end of a sentence; empty where no candidate is near.
package func suggestion(for name: String, among candidates: some Sequence<String>) -> String {
  nearestName(to: name, among: candidates).map { ". Did you mean \"\($0)\"?" } ?? ""
}

/// Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment), O(n·m).
func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i] + [Int](repeating: 0, count: b.count)
    for j in 1...b.count {
      let substitution = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
      row[j] = min(last[j] + 1, row[j - 1] + 1, substitution)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { row[j] = min(row[j], beforeLast[j - 2] + 1) }
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
