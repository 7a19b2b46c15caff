#if SQLite
internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension Disk {
    /// Copies a file, which nobody in this process may have open, to one that the user alone may read.
    static func copy(_ path: String, to target: String) throws(StoreError) {
        let from = try descriptor(path, O_RDONLY)
        defer { close(from) }
        let to = try descriptor(target, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(to) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else { throw failure("read", path) }
            guard write(to, buffer, count) == count else { throw failure("write", target) }
        }
    }

    /// Writes the first page of a database over that of another. The size that stands in it is made invalid, so that SQLite takes
    /// that of the file.
    static func copyFirstPage(of path: String, to target: String, pageSize: Int = 4096) throws(StoreError) {
        let from = try descriptor(path, O_RDONLY)
        defer { close(from) }
        let to = try descriptor(target, O_WRONLY)
        defer { close(to) }
        var page = [UInt8](repeating: 0, count: pageSize)
        guard read(from, &page, page.count) == page.count else { throw failure("read", path) }
        // The change counter for which the size is valid (file format 1.3.11).
        for offset in 92..<96 { page[offset] = 0xFF }
        guard write(to, page, page.count) == page.count else { throw failure("write", target) }
    }

    private static func descriptor(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", path) }
        return descriptor
    }
}
#endif
