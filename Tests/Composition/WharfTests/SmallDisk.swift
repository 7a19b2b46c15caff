#if os(Linux)
import Foundation
import Glibc

/// A small file system in memory, which only root may mount.
struct SmallDisk {
    static let isAvailable: Bool = {
        guard geteuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        disk.unmount()
        return true
    }()

    struct Failure: Error {}

    let path: String
    private var filler: String { path + "/filler" }

    init(megabytes: Int) throws {
        path = NSTemporaryDirectory() + "/wharf-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            try? FileManager.default.removeItem(atPath: path)
            throw Failure()
        }
    }

    func fill() throws {
        let file = open(filler, O_WRONLY | O_CREAT, 0o600)
        guard file >= 0 else { throw Failure() }
        defer { close(file) }
        let page = [UInt8](repeating: 0, count: 4_096)
        while write(file, page, page.count) > 0 {}
    }

    func makeRoom() { unlink(filler) }

    /// Makes the file system read-only. No file on it may be open for writing.
    func protect() throws {
        // MS_RDONLY and MS_REMOUNT of mount(2).
        guard mount("tmpfs", path, "tmpfs", 1 | 32, nil) == 0 else { throw Failure() }
    }

    func unmount() {
        umount2(path, Int32(MNT_DETACH))
        try? FileManager.default.removeItem(atPath: path)
    }
}
#endif
