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
    #expect(reason(path + "-none", 1) == "there is no such file")
    #expect(reason(folder, 1) == "it is a folder")
    // It has no length, and no end.
    #expect(reason("/dev/zero", 1 << 20) == "it is longer than 1 MiB")
  }
}
