internal import WharfCore

/// The layout of a body file, version 1.
///
/// The body is cut into pieces of ``pieceSize`` bytes; the last one is shorter. Each piece is
/// followed by its checksum, so a reader verifies the pieces of a part without the others. Token
/// and index seed the checksum: a piece of another file or place does not match.
enum BodyFileLayout {
    static let pieceSize: Int64 = 64 << 10
    /// The length of a checksum: XXH64, little-endian.
    static let checksumSize: Int64 = 8

    /// The size of the file of a body with this length.
    static func fileSize(_ length: Int64) -> Int64 {
        length + (length + pieceSize - 1) / pieceSize * checksumSize
    }

    static func offset(ofPiece index: Int64) -> Int64 { index * (pieceSize + checksumSize) }

    static func checksum(_ piece: UnsafeRawBufferPointer, index: Int64, token: UInt64) -> UInt64 {
        XXH64.hash(piece, seed: token &+ UInt64(bitPattern: index))
    }
}
