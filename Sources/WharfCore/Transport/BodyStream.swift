internal import Synchronization

/// A body as a sequence of chunks, pulled by its reader: the reader's pace is the back-pressure.
///
/// It can be read once; a second pass ends at once. Letting go of it before its end cancels what
/// produces it.
public struct BodyStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = TransportError

    /// Makes the chunks. `next` is called by one reader at a time.
    ///
    /// Its laws are `BodyProducerLaws` of `WharfCoreLaws`.
    public protocol Producer: AnyObject, Sendable {
        /// The next chunk, never empty; nil at the end.
        func next() async throws(TransportError) -> [UInt8]?
        /// The reader left. May be called more than once, and after the end. What `next` gives from
        /// then on is the rest or an error: an end before the end would look like a whole body.
        func cancel()
    }

    private let owner: Owner
    /// Length in bytes where it is known beforehand.
    public let expectedLength: Int64?

    public init(_ producer: any Producer, expectedLength: Int64? = nil) {
        self.owner = Owner(producer)
        self.expectedLength = expectedLength
    }

    /// A body that is here already, as one chunk.
    public init(_ bytes: [UInt8]) {
        self.owner = Owner(bytes)
        self.expectedLength = Int64(bytes.count)
    }

    public static var empty: BodyStream { BodyStream([]) }

    /// What makes the chunks; nil for a body that is here already.
    package var producer: (any Producer)? { owner.producer }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(owner: owner) }

    /// The whole body as one array; without a copy where it is one chunk.
    ///
    /// - Throws: ``TransportError/Code/tooLarge`` as soon as `limit` is passed, before more is
    ///   read; what the producer throws.
    public func collect(upTo limit: Int = .max) async throws(TransportError) -> [UInt8] {
        if let expectedLength, expectedLength > limit { throw .tooLarge(limit: limit, announced: expectedLength) }
        if owner.isHere { return owner.takeBytes() ?? [] }
        guard var bytes = try await owner.next() else { return [] }
        while true {
            guard bytes.count <= limit else { throw .tooLarge(limit: limit, announced: nil) }
            guard let chunk = try await owner.next() else { return bytes }
            if let expectedLength, bytes.capacity < expectedLength {
                // One reservation for what is announced, bounded in case the announcement is a lie.
                bytes.reserveCapacity(Int(Swift.min(expectedLength, 64 << 20)))
            }
            bytes.append(contentsOf: chunk)
        }
    }

    /// The whole body, piece by piece, for who joins the pieces in memory of its own. Nothing is
    /// copied here.
    ///
    /// - Throws: as ``collect(upTo:)``. A piece that passes the limit is not given.
    package func collect(upTo limit: Int, into append: (BodyPiece) -> Void) async throws(TransportError) {
        if let expectedLength, expectedLength > limit { throw .tooLarge(limit: limit, announced: expectedLength) }
        var count = 0
        while let piece = try await owner.nextPiece() {
            count += piece.count
            guard count <= limit else { throw .tooLarge(limit: limit, announced: nil) }
            append(piece)
        }
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let owner: Owner

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(TransportError) -> [UInt8]? {
            try await owner.next()
        }
    }

    /// Holds what is left of a body. One that is here already needs no producer, which halves what
    /// a memory hit costs.
    fileprivate final class Owner: Sendable {
        let producer: (any Producer)?
        private let bytes: Mutex<[UInt8]>

        init(_ producer: any Producer) {
            self.producer = producer
            self.bytes = Mutex([])
        }

        init(_ bytes: [UInt8]) {
            self.producer = nil
            self.bytes = Mutex(bytes)
        }

        func next() async throws(TransportError) -> [UInt8]? {
            if let producer { return try await producer.next() }
            return takeBytes()
        }

        func nextPiece() async throws(TransportError) -> BodyPiece? {
            if let producer = producer as? any PieceProducer { return try await producer.nextPiece() }
            return try await next().map(BodyPiece.init)
        }

        /// What is here already; nil when that was taken, or has to be produced.
        func takeBytes() -> [UInt8]? {
            let taken = bytes.withLock { bytes in
                let all = bytes
                bytes = []
                return all
            }
            return taken.isEmpty ? nil : taken
        }

        var isHere: Bool { producer == nil }

        deinit { producer?.cancel() }
    }
}

extension TransportError {
    fileprivate static func tooLarge(limit: Int, announced: Int64?) -> TransportError {
        let found = announced.map { "\($0) bytes are announced" } ?? "more came"
        return TransportError(
            .tooLarge,
            message:
                "expected a body of at most \(limit) bytes, but \(found); raise the limit if such a body is meant to be read"
        )
    }
}
