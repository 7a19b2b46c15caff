internal import WharfRandom

/// The faults of the bytes of one direction, as a value.
///
/// It gets bytes as they arrive, and returns the steps to carry out and their times. The steps for
/// a byte depend on its position, and not on the stream's chunks.
package struct StreamFaults: Sendable {
    package enum Step: Sendable, Hashable {
        case wait(until: Duration)
        case send([UInt8])
        /// No more bytes go this way.
        case end(Ending)
    }

    package enum Ending: Sendable, Hashable {
        case reset(Fault)
        case truncated(Fault)
        /// Neither bytes nor an end arrive any more.
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
    // Between calls:
    // - `offset` bytes have passed, and never more than `cut` allows.
    // - `sliceEnd` and `packetEnd` are at least `offset`; at equality the next byte begins a new
    //   one.
    // - `busyUntil` never decreases, so bytes keep their order across chunks.
    private var bitsPerSecond: Int?
    private var cut: (offset: Int, ending: Ending)?

    private var offset = 0
    private var sliceEnd = 0
    private var packetEnd = 0
    /// The time at which the last byte was through, on the carrier's clock.
    private var busyUntil = Duration.zero
    private var hasEnded = false

    init() {}

    mutating func limit(bitsPerSecond rate: Int) { bitsPerSecond = min(bitsPerSecond ?? rate, rate) }

    mutating func cut(after count: Int, _ ending: Ending) {
        guard cut.map({ count < $0.offset }) ?? true else { return }
        cut = (count, ending)
    }

    // MARK: What to do

    /// Whether bytes pass unchanged and undelayed.
    package var isFree: Bool {
        latency == .zero && closing == .zero && slicing == nil && corruptions.isEmpty && losses.isEmpty
            && bitsPerSecond == nil && cut == nil
    }

    /// The ending that happens before the first byte; nil for none.
    package var beginning: Ending? { cut.flatMap { $0.offset == 0 ? $0.ending : nil } }

    /// - Parameter time: the time at which the bytes arrived, on the carrier's clock.
    package mutating func steps(for bytes: [UInt8], arrivedAt time: Duration) -> [Step] {
        guard !isFree else { return [.send(bytes)] }
        var steps: [Step] = []
        var rest = corrupted(bytes)[...]
        var waited = time
        while !hasEnded {
            // Before the check for bytes: a cut after the last byte so far happens without waiting
            // for another one.
            if let cut, cut.offset <= offset { return steps + [end(cut.ending)] }
            guard !rest.isEmpty else { break }
            // A byte is sent once it has arrived and the one before it is through.
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

    /// Returns the steps after the sender's end. The end is passed on after them.
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

    /// Returns the number of bytes up to the next event.
    private mutating func nextCount(_ available: Int) -> Int {
        var count = available
        if slicing != nil {
            // The jitter is less than the size, so a slice has at least one byte.
            if offset == sliceEnd { sliceEnd += slicing?.next() ?? 0 }
            count = min(count, sliceEnd - offset)
        }
        if !losses.isEmpty { count = min(count, packetEnd - offset) }
        if let cut { count = min(count, cut.offset - offset) }
        // Sends a twentieth of a second's worth at once, so that a slow line delivers bytes
        // steadily.
        if let bitsPerSecond { count = min(count, max(1, bitsPerSecond / 160)) }
        return count
    }

    /// Delays `due` by the retransmissions of the packet that begins here, or returns silence if no
    /// packet arrives any more.
    private mutating func openPacket(_ due: inout Duration) -> Ending? {
        guard !losses.isEmpty, offset == packetEnd else { return nil }
        // The payload of a TCP segment in an Ethernet frame: 1,500 bytes less two headers of 20.
        packetEnd += 1460
        for index in losses.indices {
            if losses[index].loss.isTotal { return .silence(losses[index].fault) }
            // The retransmission timeout doubles with each loss (RFC 6298 §5.5). Beyond a minute
            // the connection counts as dead.
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
            // Numbers are drawn byte by byte, so that the places do not depend on the chunks.
            for place in bytes.indices where corruptions[index].random.share() < share {
                // The mask is never zero, so the byte changes.
                bytes[place] ^= UInt8.random(in: 1...255, using: &corruptions[index].random)
            }
        }
        return bytes
    }
}
