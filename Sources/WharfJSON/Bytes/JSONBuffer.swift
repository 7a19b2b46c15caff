/// Collects a document that arrives in pieces, so that each byte is copied once where the length is known beforehand.
///
/// Without an expected length, or where the document turns out longer, the pieces are kept as they came and joined by one copy
/// at the end.
public struct JSONBuffer: ~Copyable {
    private var storage: JSONStorage?
    private var overflow: [[UInt8]] = []
    /// How many bytes have come so far.
    public private(set) var count = 0

    /// - Parameter expected: how many bytes will come, as far as is known. They are reserved at once, up to 256 MiB; cap what an
    ///   origin claims where that is too much.
    public init(expecting expected: Int? = nil) {
        if let expected, expected > 0 { storage = JSONStorage(capacity: min(expected, 256 << 20)) }
    }

    /// Copies the next piece where room was reserved for it; otherwise keeps the array itself until the end.
    public mutating func append(_ chunk: [UInt8]) {
        defer { count += chunk.count }
        guard let storage, overflow.isEmpty, count + chunk.count <= storage.capacity else {
            overflow.append(chunk)
            return
        }
        // `count + chunk.count <= capacity`, and nobody else has seen this memory yet.
        chunk.withUnsafeBytes {
            UnsafeMutableRawBufferPointer(start: storage.base + count, count: chunk.count).copyMemory(from: $0)
        }
    }

    /// The document so far. The buffer is used up.
    public consuming func bytes() -> JSONBytes {
        guard let storage else { return JSONBytes(chunks: overflow) }
        guard !overflow.isEmpty else {
            storage.close(at: count)
            return JSONBytes(storage: storage)
        }
        let head = count - overflow.reduce(0) { $0 + $1.count }
        return JSONBytes(count: count) { [overflow] target in
            target.copyMemory(from: UnsafeRawBufferPointer(start: storage.base, count: head))
            var offset = head
            for chunk in overflow {
                chunk.withUnsafeBytes {
                    UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: $0)
                }
                offset += chunk.count
            }
        }
    }
}
