extension Tag {
  static let testsuites = Tag("testsuites")
  static let testsuite = Tag("testsuite")
  static let testcase = Tag("testcase")
  static let properties = Tag("properties")
  static let property = Tag("property")
  static let failure = Tag("failure")
  static let error = Tag("error")
  static let skipped = Tag("skipped")
  static let systemOut = Tag("system-out")
}
