/// Collects a document that arrives in pieces.
///
/// If the length is known beforehand, each byte is copied once.
///
/// Without an expected length, or if the document turns out longer, the pieces are kept as they
/// came. They are joined by one copy at the end.
public struct JSONBuffer: ~Copyable {
    /// Writes one piece; it must fill the whole buffer that it gets.
    public typealias Copy = (UnsafeMutableRawBufferPointer) -> Void

    // Invariants:
    // - While `overflow` is empty, the first `count` bytes of `storage` are written.
    // - Once it is not, `storage` gets no more pieces, so the order of the pieces stays.
    private var storage: JSONStorage?
    private var overflow: [(count: Int, copy: Copy)] = []
    /// The number of bytes so far.
    public private(set) var count = 0

    /// Creates an empty buffer.
    ///
    /// - Parameter expected: the expected number of bytes, if it is known. They are reserved at
    ///   once, up to 256 MiB. Cap the length that an origin claims if that is too much.
    public init(expecting expected: Int? = nil) {
        if let expected, expected > 0 { storage = JSONStorage(capacity: min(expected, 256 << 20)) }
    }

    /// Appends a piece.
    ///
    /// It is copied into reserved memory, or else the array is kept until the end.
    public mutating func append(_ chunk: [UInt8]) {
        append(count: chunk.count) { target in chunk.withUnsafeBytes { target.copyMemory(from: $0) } }
    }

    /// Appends a piece that `copy` writes.
    ///
    /// If memory was reserved for the piece, `copy` is called now. Otherwise it is kept with the
    /// bytes that it holds, and called at the end. It is called once.
    public mutating func append(count pieceCount: Int, copy: @escaping Copy) {
        defer { count += pieceCount }
        // Compared as a difference: `count + pieceCount` could overflow for a length that an origin
        // claims.
        guard let storage, overflow.isEmpty, pieceCount <= storage.capacity - count else {
            overflow.append((pieceCount, copy))
            return
        }
        // The target is inside the capacity, and no other code has a reference to this memory yet.
        copy(UnsafeMutableRawBufferPointer(start: storage.base + count, count: pieceCount))
    }

    /// Returns the document so far and consumes the buffer.
    public consuming func bytes() -> JSONBytes {
        if let storage, overflow.isEmpty {
            // The zeros go behind the bytes that came, which may be fewer than were expected.
            storage.close(at: count)
            return JSONBytes(storage: storage)
        }
        return JSONBytes(count: count) { [storage, overflow, count] target in
            var offset = count - overflow.reduce(0) { $0 + $1.count }
            if let storage { target.copyMemory(from: UnsafeRawBufferPointer(start: storage.base, count: offset)) }
            for piece in overflow {
                piece.copy(UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + piece.count]))
                offset += piece.count
            }
        }
    }
}
