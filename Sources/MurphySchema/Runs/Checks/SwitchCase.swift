/// A string value of the discriminating property, and the branch it stands for.
struct SwitchCase {
  let value: TapeName
  let node: Int32
}
