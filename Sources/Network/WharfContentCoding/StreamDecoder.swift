internal import CContentCoding

/// A streaming decoder for one coding.
///
/// The caller feeds a chunk, takes pieces until there are none, and feeds the next chunk. A piece
/// has at most ``pieceLimit`` bytes, so a small chunk that decodes to gigabytes does not fill the
/// memory.
struct StreamDecoder: ~Copyable {
    static let pieceLimit = 64 << 10

    enum Failure: Error, Hashable {
        /// The bytes break the coding's rules, or continue after its end.
        case broken
        case outOfMemory
    }

    // zlib's stream points to itself, so it must not move in memory.
    private let raw: OpaquePointer
    private var input: [UInt8] = []
    private var offset = 0
    /// Whether the decoder may hold output that did not fit into the last piece.
    private var mayHoldOutput = false

    init(_ coding: ContentCoding) throws(Failure) {
        guard let raw = wharf_decoder_create(coding.raw) else { throw .outOfMemory }
        self.raw = raw
    }

    deinit { wharf_decoder_destroy(raw) }

    /// Whether the body may end here.
    var isAtEnd: Bool { offset == input.count && !mayHoldOutput && wharf_decoder_is_at_end(raw) }

    /// - Parameter chunk: the bytes after the last chunk, which must be used up.
    mutating func feed(_ chunk: [UInt8]) {
        input = chunk
        offset = 0
    }

    /// Returns the next decoded bytes, never empty; nil if more input is needed.
    mutating func take() throws(Failure) -> [UInt8]? {
        while offset < input.count || mayHoldOutput {
            // Four times the input is a usual ratio; the limits keep pieces neither tiny nor huge.
            let capacity = min(max((input.count - offset) * 4, 4096), Self.pieceLimit)
            var consumed = 0
            var status = WHARF_DECODER_OK
            let piece = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                input.withUnsafeBufferPointer { input in
                    // The pointer to the input is used during this call only.
                    let rest = UnsafeBufferPointer(rebasing: input[offset...])
                    status = wharf_decoder_step(
                        raw, rest.baseAddress, rest.count, &consumed, output.baseAddress, capacity, &count)
                }
            }
            offset += consumed
            switch status {
            case WHARF_DECODER_OK: break
            case WHARF_DECODER_OUT_OF_MEMORY: throw .outOfMemory
            default: throw .broken
            }
            // The decoder consumed and produced nothing. No coding needs that, and this loop would
            // not end.
            if consumed == 0, piece.isEmpty, offset < input.count { throw .broken }
            // A full piece may mean that more output waits inside, even without input.
            mayHoldOutput = piece.count == capacity
            if !piece.isEmpty { return piece }
        }
        // Released, so an idle stream holds no chunk.
        input = []
        offset = 0
        return nil
    }
}
