/// Wakes one who rests, also where it was rung before the rest began.
final class Bell: Sendable {
    private let strokes: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (strokes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    func ring() { continuation.yield() }

    /// For one task at a time.
    func wait() async {
        var iterator = strokes.makeAsyncIterator()
        _ = await iterator.next()
    }
}
