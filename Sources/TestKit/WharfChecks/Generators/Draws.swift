/// The numbers from which a value was made, and the groups that they form.
struct Draws: Sendable {
    /// The numbers of one draw, including those of its nested draws.
    struct Span: Sendable {
        /// The number of the draw, counted by their starts.
        let ordinal: Int
        let type: ObjectIdentifier
        let range: Range<Int>
    }

    var values: [UInt64] = []
    /// The largest possible value of each number.
    var bounds: [UInt64] = []
    var spans: [Span] = []
    /// The elements of each array. An outer array comes before the arrays in it.
    var groups: [[Range<Int>]] = []

    /// Whether it has fewer numbers, or as many that are lexicographically smaller.
    func precedes(_ other: Draws) -> Bool {
        values.count == other.values.count
            ? values.lexicographicallyPrecedes(other.values) : values.count < other.values.count
    }
}

/// Numbers to replay. After their end each number is zero, and so is each one in the draw to be
/// simplified.
struct ReplayedDraws {
    let values: [UInt64]
    /// The draw to be simplified, and the end of its numbers in `values`.
    var simplest: (ordinal: Int, end: Int)?
    private var place = 0
    private var isInside = false

    init(_ values: [UInt64], simplest: (ordinal: Int, end: Int)? = nil) {
        self.values = values
        self.simplest = simplest
    }

    mutating func next() -> UInt64 {
        guard !isInside, place < values.count else { return 0 }
        defer { place += 1 }
        return values[place]
    }

    mutating func begin(_ ordinal: Int) { if simplest?.ordinal == ordinal { isInside = true } }

    mutating func end(_ ordinal: Int) {
        guard let simplest, simplest.ordinal == ordinal else { return }
        isInside = false
        // The draws after the simplified one get their own numbers again, however many it took.
        place = simplest.end
    }
}
