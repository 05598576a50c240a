extension Tag {
  package static let svg = Tag("svg")
  package static let g = Tag("g")
  package static let path = Tag("path")
  package static let line = Tag("line")
  package static let rect = Tag("rect")
  package static let circle = Tag("circle")
  package static let text = Tag("text")
  package static let tspan = Tag("tspan")
  package static let desc = Tag("desc")
  package static let defs = Tag("defs")
}
