internal import CContentCoding

/// Decodes one coding piece by piece.
///
/// The caller feeds a chunk, then takes pieces until there are none, and feeds the next one. A
/// piece has at most ``pieceLimit`` bytes, so a small chunk that holds gigabytes fills no memory.
struct StreamDecoder: ~Copyable {
    static let pieceLimit = 64 << 10

    enum Failure: Error, Hashable {
        /// The bytes break the coding's rules, or go on behind its end.
        case broken
        case outOfMemory
    }

    // zlib's stream points to itself, so it stays where it was allocated.
    private let raw: OpaquePointer
    private var input: [UInt8] = []
    private var offset = 0
    /// The decoder may hold output that did not fit into the last piece.
    private var mayHoldOutput = false

    init(_ coding: ContentCoding) throws(Failure) {
        guard let raw = wharf_decoder_create(coding.raw) else { throw .outOfMemory }
        self.raw = raw
    }

    deinit { wharf_decoder_destroy(raw) }

    /// Whether the bytes so far may be all.
    var isAtEnd: Bool { offset == input.count && !mayHoldOutput && wharf_decoder_is_at_end(raw) }

    /// - Parameter chunk: follows the chunks before it, which are used up.
    mutating func feed(_ chunk: [UInt8]) {
        input = chunk
        offset = 0
    }

    /// The next decoded bytes, never empty; nil when more input is needed.
    mutating func take() throws(Failure) -> [UInt8]? {
        while offset < input.count || mayHoldOutput {
            let capacity = min(max((input.count - offset) * 4, 4096), Self.pieceLimit)
            var consumed = 0
            var status = WHARF_DECODER_OK
            let piece = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                input.withUnsafeBufferPointer { input in
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
            // Neither took nor gave anything: no rule of the codings asks for that, and the loop
            // would not end.
            if consumed == 0, piece.isEmpty, offset < input.count { throw .broken }
            mayHoldOutput = piece.count == capacity
            if !piece.isEmpty { return piece }
        }
        input = []
        offset = 0
        return nil
    }
}
