/// The style of a report, by subject; the order is that of the cascade.
enum Stylesheet {
  static let all: [StaticString] = [
    palette, type, page, verdict, tables, charts, findings, details, tuning, narrow, print,
  ]
}
