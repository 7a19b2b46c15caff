/// Bytes of a body where they lie, be it in a type of Foundation's, until they are copied to their
/// place.
package struct BodyPiece: Sendable {
    package let count: Int
    /// Writes all of the `count` bytes that it gets.
    package let copy: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    package init(count: Int, copy: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        self.count = count
        self.copy = copy
    }

    init(_ chunk: [UInt8]) {
        self.init(count: chunk.count) { target in chunk.withUnsafeBytes { target.copyMemory(from: $0) } }
    }
}

/// Makes chunks that are no arrays. A reader that joins them in memory of its own is spared the
/// copy that making an array is.
package protocol PieceProducer: BodyStream.Producer {
    /// What `next()` would give.
    func nextPiece() async throws(TransportError) -> BodyPiece?
}
