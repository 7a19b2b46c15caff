internal import WharfCore

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

extension Disk {
    /// Copies a file to one that only the user may read.
    ///
    /// No other code of this process may have the file open.
    static func copy(_ path: String, to target: String) throws(StoreError) {
        let from = try descriptor(path, O_RDONLY)
        defer { close(from) }
        // A copy of an earlier attempt that was killed is overwritten.
        let to = try descriptor(target, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(to) }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(from, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("read", path) }
            try writeAll(buffer[..<count], to: to, target)
        }
    }

    /// Writes all bytes at the position of the descriptor.
    static func writeAll(_ bytes: ArraySlice<UInt8>, to file: Int32, _ path: String) throws(StoreError) {
        var rest = bytes
        while !rest.isEmpty {
            // A signal may interrupt the call. A short write is continued, as only the next call
            // sets `errno`.
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            // A call that wrote nothing leaves the `errno` of an earlier one.
            if count == 0 { errno = EIO }
            guard count > 0 else { throw failure("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Copies the pages of a database's schema over those of another database.
    ///
    /// The size in the first page is made invalid, so that SQLite uses the size of the file.
    static func copySchema(of path: String, to target: String, pageSize: Int = 4096) throws(StoreError) {
        let from = try descriptor(path, O_RDONLY)
        defer { close(from) }
        let to = try descriptor(target, O_WRONLY)
        defer { close(to) }
        var first = try page(1, of: from, path, pageSize)
        // The change counter for which the size is valid (file format 1.3.11).
        // With the sample's size SQLite would treat all later pages as missing.
        for offset in 92..<96 { first[offset] = 0xFF }
        let others = schemaLeaves(first)
        for number in [1] + others {
            let page = number == 1 ? first : try page(number, of: from, path, pageSize)
            guard pwrite(to, page, pageSize, off_t(pageSize * (number - 1))) == pageSize else {
                throw failure("write", target)
            }
        }
    }

    /// The kinds of pages: of a table or an index (file format 1.6).
    ///
    /// Leaf and interior pages count as one kind. Pages in the log are not seen.
    static func pageKinds(
        of path: String, _ pages: some Sequence<Int>, pageSize: Int = 4096
    ) throws(StoreError) -> [Int: UInt8] {
        let file = try descriptor(path, O_RDONLY)
        defer { close(file) }
        let leaf: UInt8 = 0x08
        var kinds: [Int: UInt8] = [:]
        for number in pages where number > 1 {
            var kind: UInt8 = 0
            // A page beyond the end of a truncated file has no kind, and counts as a misfit.
            if pread(file, &kind, 1, off_t(pageSize * (number - 1))) == 1 { kinds[number] = kind & ~leaf }
        }
        return kinds
    }

    /// The number of pages that are not of the expected kind.
    static func misfits(of path: String, _ expected: [Int: UInt8]) throws(StoreError) -> Int {
        let found = try pageKinds(of: path, expected.keys)
        return expected.count { found[$0.key] != $0.value }
    }

    private static func page(
        _ number: Int, of file: Int32, _ path: String, _ pageSize: Int
    ) throws(StoreError) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: pageSize)
        guard pread(file, &page, pageSize, off_t(pageSize * (number - 1))) == pageSize else {
            throw failure("read", path)
        }
        return page
    }

    /// The pages of the schema below the first page.
    ///
    /// There are some if the schema does not fit on the first page, which is then an interior page
    /// of a table (file format 1.6).
    private static func schemaLeaves(_ first: [UInt8]) -> [Int] {
        func number(_ offset: Int, _ size: Int) -> Int {
            first[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
        }
        // An interior page has a child for each cell, and one more in its header.
        let (header, interior) = (100, 0x05)
        guard number(header, 1) == interior else { return [] }
        let cells = (0..<number(header + 3, 2)).map { number(header + 12 + 2 * $0, 2) }
        return cells.map { number($0, 4) } + [number(header + 8, 4)]
    }

    /// Opens a file for reading; nil if there is none. It must be no database file.
    static func openIfThere(_ path: String) throws(StoreError) -> Int32? {
        // A child process must not inherit the descriptor.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 { return descriptor }
        if errno == ENOENT { return nil }
        throw failure("open", path)
    }

    private static func descriptor(_ path: String, _ flags: Int32) throws(StoreError) -> Int32 {
        // A child process must not inherit the descriptor.
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", path) }
        return descriptor
    }
}
