import Foundation
import MurphyModel
import Testing

@Suite struct BoundTests {
  @Test func `what is beyond a whole number becomes the largest`() {
    #expect(Int(saturating: 1e300) == .max)
    #expect(Int(saturating: -.infinity) == .min)
    #expect(Int(saturating: .nan) == 0)
    #expect(Int(saturating: -2.7) == -2)
    #expect(Int64(saturating: 0x1p63) == .max)
    #expect(UInt16(saturating: -1) == 0)
    #expect(UInt16(saturating: 65_535.5) == 65_535)
    #expect(Duration.saturating(seconds: .infinity).nanoseconds > 9_000_000_000_000_000_000)
    #expect(Duration.saturating(seconds: .nan) == .zero)
    #expect(Duration.saturating(seconds: 1.5) == .milliseconds(1500))
  }

  @Test func `sums, differences and products end at the type's range`() {
    let ends: [Int64] = [.min, .min + 1, -1, 0, 1, 2, 1_000_000_000, .max - 1, .max]
    for first in ends {
      for second in ends {
        let exact = (Int128(first), Int128(second))
        func cut(_ value: Int128) -> Int64 { Int64(clamping: value) }
        #expect(first.adding(second) == cut(exact.0 + exact.1))
        #expect(first.subtracting(second) == cut(exact.0 - exact.1))
        #expect(first.multiplied(by: second) == cut(exact.0 * exact.1))
      }
    }
    #expect(UInt32.max.adding(1) == .max)
    #expect(UInt32(1).subtracting(2) == 0)
  }

  @Test func `what a document names is opened only if it is a file`() throws {
    func reason(_ path: String) -> String? {
      do throws(BoundedFile.Failure) {
        _ = try BoundedFile.readNamed(path, limit: ByteCount(1 << 20))
        return nil
      } catch { return error.description }
    }
    let pipe = "\(FileManager.default.temporaryDirectory.path)/murphy-pipe-\(UUID().uuidString)"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(reason(pipe) == "it is not a regular file")
    #expect(reason("/dev/zero") == "it is not a regular file")
    #expect(reason("/proc") == "it is a folder")
    #expect(reason(pipe + "-none") == "no such file")
    #expect(reason("/proc/self/stat") == nil)
  }

  @Test func `instants saturate`() {
    #expect((Instant(nanoseconds: .max - 1) + 5).nanoseconds == .max)
    #expect((Instant(nanoseconds: .min + 1) + -5).nanoseconds == .min)
    #expect(Instant(nanoseconds: .max) - Instant(nanoseconds: -5) == .max)
    #expect(Instant(nanoseconds: 7) - Instant(nanoseconds: 5) == 2)
  }

  @Test func `a file is read up to a limit, and not a byte beyond`() throws {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/murphy-bounds-\(UUID().uuidString)"
    defer { unlink(path) }
    #expect(FileManager.default.createFile(atPath: path, contents: Data(repeating: 35, count: 3 << 20)))
    #expect(try BoundedFile.read(path, limit: ByteCount(3 << 20)).count == 3 << 20)
    func reason(_ path: String, _ limit: Int) -> String? {
      do throws(BoundedFile.Failure) {
        _ = try BoundedFile.read(path, limit: ByteCount(limit))
        return nil
      } catch {
        return error.description
      }
    }
    #expect(reason(path, 2 << 20) == "it is longer than 2 MiB")
    #expect(reason(path + "-none", 1) == "no such file")
    #expect(reason(folder, 1) == "it is a folder")
    // It has no length, and no end.
    #expect(reason("/dev/zero", 1 << 20) == "it is longer than 1 MiB")
  }
}
