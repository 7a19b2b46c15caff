internal import Synchronization

/// A body as a sequence of chunks. The reader's pace gives the back-pressure.
///
/// It can be read once; a second iteration ends at once. Releasing it before its end cancels the
/// producer.
public struct BodyStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = TransportError

    /// A source of the chunks. Only one reader at a time calls `next`.
    ///
    /// Its laws are `BodyProducerLaws` of `WharfCoreLaws`.
    public protocol Producer: AnyObject, Sendable {
        /// Returns the next chunk, which is never empty; nil at the end.
        func next() async throws(TransportError) -> [UInt8]?
        /// Ends the production, because the reader has stopped.
        ///
        /// It may be called several times, and after the end. From then on `next` returns the rest
        /// or throws. A premature nil would make the body look complete.
        func cancel()
        /// The fields after the body; nil if the producer can't know them.
        ///
        /// It is read only after `next` has returned nil.
        var trailers: HTTPFields? { get }
    }

    private let owner: Owner
    /// The length in bytes, if it is known beforehand.
    public let expectedLength: Int64?

    /// Creates a body from a producer.
    public init(_ producer: any Producer, expectedLength: Int64? = nil) {
        self.owner = Owner(producer)
        self.expectedLength = expectedLength
    }

    /// Creates a body of known bytes, as one chunk.
    public init(_ bytes: [UInt8]) {
        self.owner = Owner(bytes)
        self.expectedLength = Int64(bytes.count)
    }

    /// A body without bytes.
    public static var empty: BodyStream { BodyStream([]) }

    /// The fields that the sender put after the body (RFC 9110 §6.5).
    ///
    /// ```swift
    /// let bytes = try await response.body.collect()
    /// let expected = response.body.trailers?[digest]
    /// ```
    ///
    /// - Before the end of the body was read, they are nil. After it they are empty if the sender
    ///   sent none.
    /// - They are nil too if the source of the body can't know them. Such sources are a transport
    ///   whose HTTP client drops them, a file, and a stored answer.
    /// - They never become fields of the head (RFC 9110 §6.5.1).
    public var trailers: HTTPFields? { owner.isAtEnd ? owner.producer?.trailers : nil }

    /// The producer of the chunks; nil for a body of known bytes.
    package var producer: (any Producer)? { owner.producer }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }

    /// Returns the whole body as one array, without a copy if it is one chunk.
    ///
    /// - Throws: ``TransportError/Code/tooLarge`` as soon as the limit is exceeded, before more is
    ///   read; the error of the producer.
    public func collect(upTo limit: Int = .max) async throws(TransportError) -> [UInt8] {
        if let expectedLength, expectedLength > limit { throw .tooLarge(limit: limit, announced: expectedLength) }
        if owner.isHere { return owner.takeBytes() ?? [] }
        guard var bytes = try await owner.next() else { return [] }
        while true {
            // Checked before each read, so at most one chunk beyond the limit is in memory.
            guard bytes.count <= limit else { throw .tooLarge(limit: limit, announced: nil) }
            guard let chunk = try await owner.next() else { return bytes }
            if let expectedLength, bytes.capacity < expectedLength {
                // Reserve the announced length once. The bound protects against a false
                // announcement.
                bytes.reserveCapacity(Int(Swift.min(expectedLength, 64 << 20)))
            }
            bytes.append(contentsOf: chunk)
        }
    }

    /// Passes the whole body to `append`, piece by piece and without a copy.
    ///
    /// - Throws: the errors of ``collect(upTo:)``. A piece that exceeds the limit is not passed on.
    package func collect(upTo limit: Int, into append: (BodyPiece) -> Void) async throws(TransportError) {
        if let expectedLength, expectedLength > limit { throw .tooLarge(limit: limit, announced: expectedLength) }
        var count = 0
        while let piece = try await owner.nextPiece() {
            count += piece.count
            // Checked before the piece is passed on: the caller never gets more than the limit.
            guard count <= limit else { throw .tooLarge(limit: limit, announced: nil) }
            append(piece)
        }
    }

    /// Reads the chunks of a body.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> [UInt8]? {
            try await owner.next()
        }
    }

    /// The rest of a body. Known bytes need no producer, which halves the cost of a memory hit.
    fileprivate final class Owner: Sendable {
        let producer: (any Producer)?
        private let bytes: Mutex<[UInt8]>
        /// Whether the producer has ended the body regularly. The trailers are those of a whole
        /// body.
        private let hasEnded = Atomic(false)

        var isAtEnd: Bool { hasEnded.load(ordering: .acquiring) }

        init(_ producer: any Producer) {
            self.producer = producer
            self.bytes = Mutex([])
        }

        init(_ bytes: [UInt8]) {
            self.producer = nil
            self.bytes = Mutex(bytes)
        }

        func next() async throws(TransportError) -> [UInt8]? {
            guard let producer else { return takeBytes() }
            if let chunk = try await producer.next() { return chunk }
            hasEnded.store(true, ordering: .releasing)
            return nil
        }

        func nextPiece() async throws(TransportError) -> BodyPiece? {
            guard let producer = producer as? any PieceProducer else { return try await next().map(BodyPiece.init) }
            if let piece = try await producer.nextPiece() { return piece }
            hasEnded.store(true, ordering: .releasing)
            return nil
        }

        /// Returns the known bytes; nil if they were taken or must be produced.
        func takeBytes() -> [UInt8]? {
            // Taken once. A second iteration gets nothing, as it does from a producer.
            let taken = bytes.withLock { bytes in
                let all = bytes
                bytes = []
                return all
            }
            return taken.isEmpty ? nil : taken
        }

        var isHere: Bool { producer == nil }

        // No reader is left. A connection would otherwise stay open until its timeout.
        deinit { producer?.cancel() }
    }
}

/// A producer that keeps its bytes beyond this reader, as a cache does.
package protocol RejectableProducer: BodyStream.Producer {
    /// Ends the production as ``BodyStream/Producer/cancel()`` does, and discards the kept bytes,
    /// because the reader found them invalid.
    ///
    /// It may be called several times, and after the end. When it returns, the kept bytes are gone,
    /// so the next request does not get them again.
    func reject(_ error: TransportError) async
}

extension BodyStream {
    /// Ends the production of a body whose bytes are invalid.
    package func reject(_ error: TransportError) async {
        guard let producer = producer as? any RejectableProducer else {
            producer?.cancel()
            return
        }
        await producer.reject(error)
    }
}

extension BodyStream.Producer {
    /// Nil, for a producer without trailers.
    public var trailers: HTTPFields? { nil }
}

extension TransportError {
    fileprivate static func tooLarge(limit: Int, announced: Int64?) -> TransportError {
        let found = announced.map { "\($0) bytes are announced" } ?? "more bytes arrived"
        return TransportError(
            .tooLarge,
            message:
                "the body is larger than the limit of \(limit) bytes: \(found); raise the limit if such a body is "
                + "meant to be read"
        )
    }
}
