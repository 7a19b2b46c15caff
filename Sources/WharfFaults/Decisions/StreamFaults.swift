internal import WharfRandom

/// What happens to the bytes of one direction, as a value: it gets them as they come and says what
/// is to be done, and when. What it says of a byte follows from the byte's place, however the
/// stream is cut into chunks.
package struct StreamFaults: Sendable {
    package enum Step: Sendable, Hashable {
        case wait(until: Duration)
        case send([UInt8])
        /// Nothing more goes this way.
        case end(Ending)
    }

    package enum Ending: Sendable, Hashable {
        case reset(Fault)
        case truncated(Fault)
        /// Neither bytes nor an end come any more.
        case silence(Fault)
    }

    struct Slicing: Sendable {
        let bytes: Int
        let jitter: Int
        let pause: Duration
        var random: SeededGenerator

        mutating func next() -> Int { bytes + (jitter == 0 ? 0 : Int.random(in: -jitter...jitter, using: &random)) }
    }

    var latency = Duration.zero
    var closing = Duration.zero
    var slicing: Slicing?
    var corruptions: [(share: Double, random: SeededGenerator)] = []
    var losses: [(chain: PacketLoss.Chain, loss: PacketLoss, fault: Fault)] = []
    private var bitsPerSecond: Int?
    private var cut: (offset: Int, ending: Ending)?

    private var offset = 0
    private var sliceEnd = 0
    private var packetEnd = 0
    /// When the last byte was through, on the carrier's time.
    private var busyUntil = Duration.zero
    private var hasEnded = false

    init() {}

    mutating func limit(bitsPerSecond rate: Int) { bitsPerSecond = min(bitsPerSecond ?? rate, rate) }

    mutating func cut(after count: Int, _ ending: Ending) {
        guard cut.map({ count < $0.offset }) ?? true else { return }
        cut = (count, ending)
    }

    // MARK: What to do

    /// Bytes pass as they are.
    package var isFree: Bool {
        latency == .zero && closing == .zero && slicing == nil && corruptions.isEmpty && losses.isEmpty
            && bitsPerSecond == nil && cut == nil
    }

    /// What ends it before the first byte.
    package var beginning: Ending? { cut.flatMap { $0.offset == 0 ? $0.ending : nil } }

    /// - Parameter time: when the bytes came, on the carrier's time.
    package mutating func steps(for bytes: [UInt8], arrivedAt time: Duration) -> [Step] {
        guard !isFree else { return [.send(bytes)] }
        var steps: [Step] = []
        var rest = corrupted(bytes)[...]
        var waited = time
        while !hasEnded {
            if let cut, cut.offset <= offset { return steps + [end(cut.ending)] }
            guard !rest.isEmpty else { break }
            var due = max(time + latency, busyUntil)
            if let silence = openPacket(&due) { return steps + [end(silence)] }
            let piece = rest.prefix(nextCount(rest.count))
            rest = rest.dropFirst(piece.count)
            offset += piece.count
            if let bitsPerSecond {
                due += .nanoseconds(Int64(Double(piece.count) * 8e9 / Double(bitsPerSecond)))
            }
            if due > waited {
                steps.append(.wait(until: due))
                waited = due
            }
            steps.append(.send(Array(piece)))
            busyUntil = due
            if let slicing, offset == sliceEnd { busyUntil += slicing.pause }
        }
        return steps
    }

    /// What is to be done when the sender has ended; behind that, the end is passed on.
    package mutating func stepsAtEnd(arrivedAt time: Duration) -> [Step] {
        guard !hasEnded else { return [] }
        if let total = losses.first(where: \.loss.isTotal) { return [end(.silence(total.fault))] }
        let due = max(time + latency, busyUntil) + closing
        return due > time ? [.wait(until: due)] : []
    }

    private mutating func end(_ ending: Ending) -> Step {
        hasEnded = true
        return .end(ending)
    }

    /// How many bytes go at once: as far as nothing happens in between.
    private mutating func nextCount(_ available: Int) -> Int {
        var count = available
        if slicing != nil {
            if offset == sliceEnd { sliceEnd += slicing?.next() ?? 0 }
            count = min(count, sliceEnd - offset)
        }
        if !losses.isEmpty { count = min(count, packetEnd - offset) }
        if let cut { count = min(count, cut.offset - offset) }
        // A twentieth of a second's worth, so that a slow line trickles.
        if let bitsPerSecond { count = min(count, max(1, bitsPerSecond / 160)) }
        return count
    }

    /// At the beginning of a packet: when it comes through, or that nothing does any more.
    private mutating func openPacket(_ due: inout Duration) -> Ending? {
        guard !losses.isEmpty, offset == packetEnd else { return nil }
        packetEnd += 1460
        for index in losses.indices {
            if losses[index].loss.isTotal { return .silence(losses[index].fault) }
            var pause = Duration.milliseconds(200)
            while losses[index].chain.losesNext() {
                due += pause
                pause *= 2
                if pause > .seconds(60) { return .silence(losses[index].fault) }
            }
        }
        return nil
    }

    private mutating func corrupted(_ bytes: [UInt8]) -> [UInt8] {
        guard !corruptions.isEmpty else { return bytes }
        var bytes = bytes
        for index in corruptions.indices {
            let share = corruptions[index].share
            for place in bytes.indices where corruptions[index].random.share() < share {
                // Never zero, so the byte is another one.
                bytes[place] ^= UInt8.random(in: 1...255, using: &corruptions[index].random)
            }
        }
        return bytes
    }
}
