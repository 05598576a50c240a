/// Prints what a program said, each line marked as its words and not those of the test: its verdict is not the test's.
public func quote(_ text: String) {
  print(text.split(separator: "\n", omittingEmptySubsequences: false).map { "  | \($0)" }.joined(separator: "\n"))
}
