internal import WharfCore

/// The decoder of one body, and the failure that ended it.
struct BodyDecoder: ~Copyable {
    private let coding: ContentCoding
    // Invariant: it is nil after the end and after a failure.
    private var decoder: StreamDecoder?
    private(set) var failure: TransportError?

    init(_ coding: ContentCoding) {
        self.coding = coding
        do throws(StreamDecoder.Failure) {
            decoder = try StreamDecoder(coding)
        } catch {
            decoder = nil
            failure = .outOfMemory(coding)
        }
    }

    /// Whether the body may end here.
    var isAtEnd: Bool {
        switch decoder {
        case .some(let decoder): decoder.isAtEnd
        case nil: false
        }
    }

    /// - Parameter chunk: the bytes after the last chunk, which must be used up.
    mutating func feed(_ chunk: [UInt8]) { decoder?.feed(chunk) }

    /// Returns the next decoded bytes, never empty; nil if more input is needed.
    mutating func take() throws(TransportError) -> [UInt8]? {
        if let failure { throw failure }
        do throws(StreamDecoder.Failure) {
            return try decoder?.take()
        } catch {
            throw fail(error == .outOfMemory ? .outOfMemory(coding) : .broken(coding))
        }
    }

    /// Ends with a failure, which stays: a second pass over a broken body throws again.
    mutating func fail(_ error: TransportError) -> TransportError {
        failure = error
        decoder = nil
        return error
    }

    /// Releases the memory of the decoder.
    mutating func end() { decoder = nil }
}

extension TransportError {
    fileprivate static func broken(_ coding: ContentCoding) -> TransportError {
        TransportError(
            .invalidResponse,
            message: "the body is not valid \(coding.name), its Content-Encoding, or has further bytes after its "
                + "end; correct the server, or send Accept-Encoding: identity")
    }

    fileprivate static func outOfMemory(_ coding: ContentCoding) -> TransportError {
        TransportError(
            .invalidResponse,
            message: "the body could not be decoded, because there was no memory for a \(coding.name) decoder; read "
                + "fewer bodies at a time")
    }
}
