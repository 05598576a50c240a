/// If the slot is present, the others must be (`required` ≥ 0: words of a bit set) or a schema holds.
struct Dependency {
  let slot: Int32
  let required: Int32
  let node: Int32
}
