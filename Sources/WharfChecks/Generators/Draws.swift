/// The numbers of which a value was made, and which of them belong together.
struct Draws: Sendable {
    /// The numbers of one draw, those of the draws in it included.
    struct Span: Sendable {
        /// Which draw it was, counted by their beginnings.
        let ordinal: Int
        let type: ObjectIdentifier
        let range: Range<Int>
    }

    var values: [UInt64] = []
    /// The largest that each could have been.
    var bounds: [UInt64] = []
    var spans: [Span] = []
    /// The elements of each array, an outer array before those in it.
    var groups: [[Range<Int>]] = []

    /// Shorter, or as long and with the smaller number where they differ first.
    func precedes(_ other: Draws) -> Bool {
        values.count == other.values.count
            ? values.lexicographicallyPrecedes(other.values) : values.count < other.values.count
    }
}

/// Numbers to play. Where they end, and in the draw that is to become its simplest, each is zero.
struct ReplayedDraws {
    let values: [UInt64]
    /// The draw that is to become its simplest, and where its numbers end in `values`.
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
        place = simplest.end
    }
}
