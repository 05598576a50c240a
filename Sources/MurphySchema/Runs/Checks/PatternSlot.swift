/// One of `patternProperties`, by the numbers of pattern and schema.
struct PatternSlot {
  let pattern: Int32
  let node: Int32
}
