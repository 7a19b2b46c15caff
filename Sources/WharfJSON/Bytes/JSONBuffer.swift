/// Collects a document that arrives in pieces, so that each byte is copied once where the length is
/// known beforehand.
///
/// Without an expected length, or where the document turns out longer, the pieces are kept as they
/// came and joined by one copy at the end.
public struct JSONBuffer: ~Copyable {
    /// Writes one piece: all of the bytes that it gets.
    public typealias Copy = (UnsafeMutableRawBufferPointer) -> Void

    private var storage: JSONStorage?
    private var overflow: [(count: Int, copy: Copy)] = []
    /// How many bytes have come so far.
    public private(set) var count = 0

    /// - Parameter expected: how many bytes will come, as far as is known. They are reserved at
    ///   once, up to 256 MiB; cap what an origin claims where that is too much.
    public init(expecting expected: Int? = nil) {
        if let expected, expected > 0 { storage = JSONStorage(capacity: min(expected, 256 << 20)) }
    }

    /// Copies the next piece where room was reserved for it; otherwise keeps the array itself until
    /// the end.
    public mutating func append(_ chunk: [UInt8]) {
        append(count: chunk.count) { target in chunk.withUnsafeBytes { target.copyMemory(from: $0) } }
    }

    /// Lets `copy` write the next piece where room was reserved for it; otherwise keeps `copy`,
    /// which has to hold on to the bytes, and calls it at the end. It is called once.
    public mutating func append(count pieceCount: Int, copy: @escaping Copy) {
        defer { count += pieceCount }
        guard let storage, overflow.isEmpty, pieceCount <= storage.capacity - count else {
            overflow.append((pieceCount, copy))
            return
        }
        // Inside of the capacity, and nobody else has seen this memory yet.
        copy(UnsafeMutableRawBufferPointer(start: storage.base + count, count: pieceCount))
    }

    /// The document so far. The buffer is used up.
    public consuming func bytes() -> JSONBytes {
        if let storage, overflow.isEmpty {
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
