#if Encryption
internal import Crypto
internal import Foundation
internal import WharfStorage

/// The cipher of one body: AES-GCM for each piece of 64 KB, with a key of this body alone.
///
/// The nonce is the number of the piece, and whether it is the last one (STREAM). So a piece that
/// is missing, repeated or moved is not opened, and neither is a body that ends after another
/// piece.
struct BodyCipher: Sendable {
    /// The bytes of a piece, but for the last one, which may be shorter.
    static let pieceSize = 64 << 10
    /// The bytes by which a sealed piece is longer: the tag.
    static let overhead = 16
    static let sealedPieceSize = pieceSize + overhead

    /// Makes the key of the body. No two bodies share it.
    let salt: [UInt8]
    private let key: SymmetricKey

    init(salt: [UInt8], of seal: CacheSeal) {
        self.salt = salt
        key = HKDF<SHA256>.deriveKey(inputKeyMaterial: seal.bodies, salt: salt, info: Data(), outputByteCount: 32)
    }

    static func newSalt() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    /// Returns nil for a length that no sealed body has.
    static func plainLength(ofSealed length: Int64) -> Int64? {
        // An empty body is one piece without bytes.
        let pieces = pieceCount(ofSealed: length)
        let plain = length - pieces * Int64(overhead)
        return pieces > 0 && plain >= (pieces - 1) * Int64(pieceSize) ? plain : nil
    }

    static func pieceCount(ofSealed length: Int64) -> Int64 {
        let size = Int64(sealedPieceSize)
        return length / size + (length % size == 0 ? 0 : 1)
    }

    func seal(_ piece: some DataProtocol, number: UInt64, isLast: Bool) throws -> [UInt8] {
        let box = try AES.GCM.seal(piece, using: key, nonce: Self.nonce(number, isLast))
        return Array(box.ciphertext + box.tag)
    }

    func open(_ piece: ArraySlice<UInt8>, number: UInt64, isLast: Bool) throws -> [UInt8] {
        let box = try AES.GCM.SealedBox(
            nonce: Self.nonce(number, isLast), ciphertext: piece.dropLast(Self.overhead),
            tag: piece.suffix(Self.overhead))
        return Array(try AES.GCM.open(box, using: key))
    }

    private static func nonce(_ number: UInt64, _ isLast: Bool) throws -> AES.GCM.Nonce {
        var bytes: [UInt8] = [0, 0, 0, isLast ? 1 : 0]
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        return try AES.GCM.Nonce(data: bytes)
    }
}

/// The selected part of a sealed body.
struct SealedPart: Sendable {
    let id: StoredResponse.ID
    let body: BodyCipher
    /// The positions of the sealed pieces that hold the part.
    let sealed: ClosedRange<Int64>
    /// The number of the first of these pieces.
    let first: UInt64
    /// The number of the last piece of the whole body.
    let last: UInt64
    /// The bytes of the first piece before the part.
    let skipped: Int
    /// The length of the part.
    let length: Int64

    init(_ selection: CacheSelection, of response: OpenedResponse) {
        let bytes = selection.bytes(of: response.plain.length)
        let size = Int64(BodyCipher.pieceSize)
        let last = BodyCipher.pieceCount(ofSealed: response.sealedLength) - 1
        // An empty part opens one piece, which shows that the body belongs to its head.
        let first = min(bytes.lowerBound / size, last)
        let end = bytes.isEmpty ? first : (bytes.upperBound - 1) / size
        id = selection.id
        body = response.body
        sealed =
            first * Int64(BodyCipher.sealedPieceSize)...min(
                (end + 1) * Int64(BodyCipher.sealedPieceSize), response.sealedLength) - 1
        self.first = UInt64(first)
        self.last = UInt64(last)
        skipped = Int(bytes.lowerBound - first * size)
        length = Int64(bytes.count)
    }
}
#endif
