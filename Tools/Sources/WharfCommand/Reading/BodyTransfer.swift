import Wharf

/// Passes one body from its stream to a consumer, with counts, a limit and a progress bar.
struct BodyTransfer {
    /// The outcome of the transfer.
    enum End {
        case whole
        /// The stream failed, or exceeded the limit.
        case broke(TransportError)
        /// The consumer failed.
        case stopped(OutputFailure)
    }

    private let body: BodyStream
    private let limit: Int?
    private let hasBar: Bool
    private let surroundings: Surroundings
    private var bar: ProgressBar
    private var isDrawn = false
    /// The number of bytes received.
    private(set) var count: Int64 = 0
    /// The number of bytes that the consumer took.
    private(set) var written: Int64 = 0

    /// - Parameter hasBar: false if the bytes go to the terminal themselves.
    init(_ body: BodyStream, limit: Int?, hasBar: Bool = true, _ surroundings: Surroundings) {
        self.body = body
        self.limit = limit
        self.hasBar = hasBar
        self.surroundings = surroundings
        self.bar = ProgressBar(total: body.expectedLength, at: surroundings.ticks())
    }

    /// - Parameter consume: gets the chunks in order.
    mutating func run(_ consume: ([UInt8]) throws(OutputFailure) -> Void) async -> End {
        defer { if isDrawn { surroundings.writeError("\r\u{1B}[K") } }
        if let limit, let announced = body.expectedLength, announced > limit {
            return .broke(Self.tooLarge(limit, found: "\(announced) are announced"))
        }
        do throws(TransportError) {
            var chunks = body.makeAsyncIterator()
            while let chunk = try await chunks.next(isolation: #isolation) {
                count += Int64(chunk.count)
                if let limit, count > limit { return .broke(Self.tooLarge(limit, found: "more arrived")) }
                do throws(OutputFailure) {
                    try consume(chunk)
                    written += Int64(chunk.count)
                } catch {
                    return .stopped(error)
                }
                draw(after: chunk.count)
            }
        } catch {
            return .broke(error)
        }
        // A cancelled stream may end without an error.
        return Task.isCancelled ? .broke(TransportError(.cancelled, message: "the read was cancelled")) : .whole
    }

    private mutating func draw(after received: Int) {
        let now = surroundings.ticks()
        guard hasBar, bar.advance(by: received, at: now), let columns = surroundings.progressColumns() else { return }
        isDrawn = true
        surroundings.writeError("\r\(bar.text(at: now, columns: columns))\u{1B}[K")
    }

    private static func tooLarge(_ limit: Int, found: String) -> TransportError {
        TransportError(
            .tooLarge,
            message:
                "the body is longer than \(limit) bytes: \(found); raise --max-size to read it")
    }
}
