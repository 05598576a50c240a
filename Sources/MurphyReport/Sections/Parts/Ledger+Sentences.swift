import MurphyModel

extension Ledger {
  /// What was sent more than once, in words.
  var repeatSentence: String {
    "\(counted(repeated, "request")) \(repeated == 1 ? "was" : "were") sent a second time, because the server closed "
      + "the connection before an answer: \(Figure.count(sendings).text) sendings = "
      + "\(Figure.count(sent).text) sent + \(Figure.count(repeated).text) repeated."
  }
}
