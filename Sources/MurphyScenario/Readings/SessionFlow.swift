import Yams

/// What names mean while a session is read from top to bottom.
struct SessionFlow {
  /// Names that are saved, set or drawn above this place.
  var known: Set<String> = []
  /// Names that are saved further down, and in which line first.
  var later: [String: Int] = [:]
  /// Feeds that the session reads, by index.
  var feeds: Set<Int> = []
  /// Whether an expression reads the session's last answer beyond its status.
  var readsAnswer = false
  /// Whether `typed` means something here.
  var isTyping = false
  /// Whether an `index` means something here.
  var isLooping = false
  /// Whether names that only sessions save may be used, as a client's headers may.
  var isClient = false
}
