import Glibc

extension EventLoop {
  /// How long the loop's thread has run or waited for a core so far, nanoseconds: what it wanted of the machine, whether
  /// or not it got it. Nil where the system does not tell (`schedstat` of proc(5)).
  package var demanded: Int64? {
    guard let file = fopen("/proc/self/task/\(task.load(ordering: .relaxed))/schedstat", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, CInt(line.count), file) != nil else { return nil }
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let numbers = text.split(whereSeparator: \.isWhitespace).compactMap { Int64($0) }
    return numbers.count >= 2 ? numbers[0] &+ numbers[1] : nil
  }
}
