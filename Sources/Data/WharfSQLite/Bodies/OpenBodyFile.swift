internal import Dispatch
internal import WharfCore
internal import WharfPrimitives

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// An open body file. Its descriptor stays readable if the file is removed.
final class OpenBodyFile: Sendable {
    private let descriptor: Int32
    private let token: UInt64
    /// The length of the body.
    let length: Int64
    private let probe: SQLiteCacheProbe

    init(descriptor: Int32, token: UInt64, length: Int64, probe: SQLiteCacheProbe) {
        self.descriptor = descriptor
        self.token = token
        self.length = length
        self.probe = probe
    }

    deinit { close(descriptor) }

    /// The bytes of one piece, or the damage that was found.
    enum Piece: Sendable {
        case bytes([UInt8])
        case damaged(String)
    }

    /// Reads and verifies the piece that has the byte at a position of the body.
    ///
    /// It is read on another thread: a slow disk blocks it for long, and a thread of the
    /// cooperative pool must not be blocked.
    func piece(at position: Int64) async -> Piece {
        await callbackValue { reply in
            DispatchQueue.global(qos: .userInitiated).async { [self] in reply(read(at: position)) }
        }
    }

    private func read(at position: Int64) -> Piece {
        probe.reading?()
        let index = position / BodyFileLayout.pieceSize
        let count = Int(min(BodyFileLayout.pieceSize, length - index * BodyFileLayout.pieceSize))
        let wanted = count + Int(BodyFileLayout.checksumSize)
        var offset = off_t(BodyFileLayout.offset(ofPiece: index))
        var damage: String?
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, initialized in
            initialized = 0
            var filled = 0
            while filled < wanted {
                let found = pread(descriptor, buffer.baseAddress?.advanced(by: filled), wanted - filled, offset)
                if found < 0, errno == EINTR { continue }
                guard found > 0 else {
                    let reason = found == 0 ? "it was cut" : strerror(errno).map { String(cString: $0) } ?? "unknown"
                    damage = "byte \(position) of its body can't be read: \(reason)"
                    return
                }
                filled += found
                offset += off_t(found)
            }
            let raw = UnsafeRawBufferPointer(buffer)
            let stored = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: count, as: UInt64.self))
            let content = UnsafeRawBufferPointer(rebasing: raw[..<count])
            guard BodyFileLayout.checksum(content, index: index, token: token) == stored else {
                damage = "piece \(index) of its body does not match its checksum"
                return
            }
            // The checksum is left out of the array.
            initialized = count
        }
        return damage.map { .damaged($0) } ?? .bytes(bytes)
    }
}
