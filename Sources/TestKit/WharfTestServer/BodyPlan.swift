/// Divides a body at the offsets where it is held or cut, as a value without I/O.
struct BodyPlan {
    struct Step {
        var bytes: ArraySlice<UInt8>
        /// Waited for after the bytes.
        var hold: TestResponse.Hold?
        /// Whether the connection is closed after the bytes.
        var cuts = false
    }

    private let cut: Int?
    private var holds: ArraySlice<(offset: Int, hold: TestResponse.Hold)>
    // `sent` bytes have been given out. All of `holds` lie at or after `sent`, in rising order.
    private var sent = 0

    init(cut: Int?, holds: [(offset: Int, hold: TestResponse.Hold)]) {
        self.cut = cut
        self.holds = holds[...]
    }

    mutating func next(_ remaining: inout ArraySlice<UInt8>) -> Step {
        let end = sent + remaining.count
        let holdAt = holds.first.map(\.offset)
        let stop = min(end, holdAt ?? .max, cut ?? .max)
        let bytes = remaining.prefix(max(0, stop - sent))
        remaining = remaining.dropFirst(bytes.count)
        sent += bytes.count
        // A hold at the offset of the cut comes first, so that a test can act before the connection
        // closes.
        if let holdAt, holdAt <= sent, let hold = holds.popFirst() { return Step(bytes: bytes, hold: hold.hold) }
        return Step(bytes: bytes, cuts: cut.map { $0 <= sent } ?? false)
    }
}
