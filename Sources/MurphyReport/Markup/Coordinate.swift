/// Numbers as SVG and CSS want them: a point for the decimals, no more digits than a pixel needs.
package enum Coordinate {
  /// At most two decimals, without trailing zeros; what is not finite becomes 0.
  package static func text(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "0" }
    let hundredths = Int64(saturating: (value * 100).rounded())
    let (whole, rest) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
    let sign = hundredths < 0 ? "-" : ""
    if rest == 0 { return "\(sign)\(whole)" }
    if rest.isMultiple(of: 10) { return "\(sign)\(whole).\(rest / 10)" }
    return "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
