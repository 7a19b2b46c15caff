public import WharfChecks
public import WharfCore
internal import WharfRandom

/// The laws of every producer of a ``BodyStream``.
///
/// Producers are a sent file, a received answer, or a body that wraps another one.
///
/// ```swift
/// @Test(arguments: BodyProducerLaws.all)
/// func myBodyKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
///     try await law.check(.init("MyBody") { bytes in MyBody(bytes) })
/// }
/// ```
public enum BodyProducerLaws {
    /// A kind of producer, as a closure that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable ([UInt8]) async throws -> any BodyStream.Producer

        /// Creates a kind of producer.
        ///
        /// - Parameter make: makes a producer of these bytes, in any chunks. It is called for each
        ///   input of a law.
        public init(
            _ name: String, _ make: @escaping @Sendable (_ bytes: [UInt8]) async throws -> any BodyStream.Producer
        ) {
            description = name
            self.make = make
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = [
        Law("the chunks are the bytes in their order, and none is empty", for: length, runs: 40) { subject, length in
            let bytes = pattern(length)
            let producer = try await subject.make(bytes)
            var read: [UInt8] = []
            while let chunk = try await producer.next() {
                try require(!chunk.isEmpty, "a chunk behind \(read.count) bytes was empty")
                read += chunk
                try require(read.count <= length, "there were \(read.count) bytes of \(length)")
            }
            try require(read.count == length, "there were \(read.count) bytes of \(length)")
            try require(read == bytes, "there were other bytes, or in another order")
        },
        Law("a producer gives nothing more after its end", for: length, runs: 40) { subject, length in
            let producer = try await subject.make(pattern(length))
            try await drain(producer, length)
            for _ in 0..<2 {
                let more = try await producer.next()
                try require(more == nil, "behind the end came \(more?.count ?? 0) bytes")
            }
        },
        Law(
            "a reader that cancels midway gets the rest or an error, never an early end", for: leaving,
            runs: 40
        ) {
            subject, input in
            let (length, chunks) = input
            let producer = try await subject.make(pattern(length))
            var count = 0
            for _ in 0..<chunks {
                // The end came before the cancellation, so there is nothing to check.
                guard let chunk = try await producer.next() else { return }
                count += chunk.count
            }
            producer.cancel()
            try await require(onlyThrowing: TransportError.self) {
                count += try await drain(producer, length)
                try require(count == length, "behind \(count) bytes of \(length) it looked complete")
            }
        },
        Law("a reader that cancels twice, or after the end, gets nothing more", for: length, runs: 40) {
            subject, length in
            let producer = try await subject.make(pattern(length))
            try await drain(producer, length)
            for _ in 0..<2 {
                producer.cancel()
                let answer = try await require(onlyThrowing: TransportError.self) { try await producer.next() }
                if case .success(let more?) = answer { throw FailedRequirement(found: "\(more.count) bytes came") }
            }
        },
    ]

    /// Lengths of up to a few chunks of a producer that reads a file or a socket.
    private static let length: Generator<Int> = .frequency(
        (1, .int(in: 0...100)), (1, .int(in: 0...200_000)), (1, .element(of: [65_536, 65_535, 65_537, 131_072])))
    private static let leaving = Generator.zip(length, .int(in: 0...3))

    /// Returns bytes that differ from place to place.
    ///
    /// A missing, repeated or moved piece is therefore detected. The bytes are a repeated random
    /// block with an odd length that no chunk has.
    private static func pattern(_ length: Int) -> [UInt8] {
        var random = SeededGenerator(seed: UInt64(length))
        let block = (0..<4_093).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length + block.count)
        while bytes.count < length { bytes += block }
        bytes.removeLast(bytes.count - length)
        return bytes
    }

    /// Reads a producer to its end.
    ///
    /// - Returns: the number of bytes. A producer without an end is detected by its number of
    ///   chunks.
    @discardableResult
    private static func drain(_ producer: any BodyStream.Producer, _ length: Int) async throws -> Int {
        var (count, chunks) = (0, 0)
        while chunks <= length, let chunk = try await producer.next() {
            count += chunk.count
            chunks += 1
        }
        return count
    }
}
