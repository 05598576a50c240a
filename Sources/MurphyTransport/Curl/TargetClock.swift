import CLibcurl
import Glibc
import MurphyModel

/// The time of day of a target, by the `Date` of its answers (RFC 9110 §6.6.1).
package enum TargetClock {
  private static let requests = 10
  /// Between two requests, microseconds: no whole part of a second, so that they meet all parts of it.
  private static let pause: useconds_t = 137_000
  private static let patience = Duration.seconds(2)
  private static let longest = 16_384

  /// Asks for the target's root without a body and without a credential, ten times over a second and a half; blocks.
  ///
  /// - Returns: nil where no answer has a date, or the dates contradict each other.
  package static func bound(_ origin: Origin, _ options: TransportOptions) -> ClockBound? {
    _ = LibcurlVersion.prepare
    guard let easy = curl_easy_init() else { return nil }
    defer { curl_easy_cleanup(easy) }
    options.setReach(easy, to: origin)
    curl_set_text(easy, CURLOPT_URL, origin.text + "/")
    curl_set_long(easy, CURLOPT_NOBODY, 1)
    curl_set_long(easy, CURLOPT_TIMEOUT_MS, patience.milliseconds)
    var bounds = DateBounds()
    for number in 0..<requests {
      if number > 0 { usleep(pause) }
      guard ask(easy, &bounds) else { break }
    }
    return bounds.bound
  }

  /// False where there is no answer, or none with a date.
  private static func ask(_ easy: UnsafeMutableRawPointer, _ bounds: inout DateBounds) -> Bool {
    guard let file = tmpfile() else { return false }
    defer { fclose(file) }
    // libcurl writes the field lines into it by fwrite.
    curl_set_pointer(easy, CURLOPT_HEADERDATA, file)
    let sent = Double(WallClock.nanoseconds()) / 1e9
    guard curl_easy_perform(easy) == CURLE_OK else { return false }
    let answered = Double(WallClock.nanoseconds()) / 1e9
    rewind(file)
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = fread(&bytes, 1, bytes.count, file)
    let lines = String(decoding: bytes.prefix(count), as: UTF8.self).textLines
    guard let line = lines.last(where: { $0.lowercased().hasPrefix("date:") }),
      let date = HTTPDate.seconds(String(line.dropFirst(5).drop { $0 == " " }))
    else { return false }
    bounds.add(date: date, sent: sent, answered: answered)
    return true
  }
}
