/// A chunk of a body that is copied only once, to its final place.
///
/// The bytes stay in their original memory until then, such as a type of Foundation.
package struct BodyPiece: Sendable {
    package let count: Int
    /// Copies the bytes to a buffer of `count` bytes, which it fills completely.
    package let copy: @Sendable (UnsafeMutableRawBufferPointer) -> Void

    package init(count: Int, copy: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
        self.count = count
        self.copy = copy
    }

    init(_ chunk: [UInt8]) {
        self.init(count: chunk.count) { target in chunk.withUnsafeBytes { target.copyMemory(from: $0) } }
    }
}

/// A producer whose chunks are not arrays.
///
/// A reader that joins the chunks in its own memory saves the copy into an array.
package protocol PieceProducer: BodyStream.Producer {
    /// Returns the chunk that `next()` would return.
    func nextPiece() async throws(TransportError) -> BodyPiece?
}
