/// Remembers something for each type that is met in one document, so that asking again costs a
/// comparison.
struct TypeTable<Entry: AnyObject> {
    private struct Slot {
        var type: ObjectIdentifier?
        /// nil: there is nothing for this type.
        var entry: Entry?
    }

    /// A power of two of them, more than half of which are free; none before there is an entry.
    private var slots: [Slot] = []
    private var count = 0

    /// - Parameter make: called once for a type; its entry was made for exactly this type.
    /// - Returns: what the table keeps as long as it is there itself.
    @inline(__always) mutating func entry(for type: ObjectIdentifier, _ make: () -> Entry?) -> Unmanaged<Entry>? {
        let index = Self.start(type) & (slots.count &- 1)
        if _fastPath(index < slots.count && slots[index].type == type) {
            return slots[index].entry.map(Unmanaged.passUnretained)
        }
        return search(type, make)
    }

    @inline(__always) private static func start(_ type: ObjectIdentifier) -> Int {
        Int(truncatingIfNeeded: (UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15) >> 40)
    }

    @inline(never) private mutating func search(_ type: ObjectIdentifier, _ make: () -> Entry?) -> Unmanaged<Entry>? {
        if slots.isEmpty { grow() }
        let found = free(for: type)
        if slots[found].type != nil { return slots[found].entry.map(Unmanaged.passUnretained) }
        let entry = make()
        // `make` does not come back here, so the slot is still free.
        slots[found] = Slot(type: type, entry: entry)
        count += 1
        if count * 2 > slots.count { grow() }
        return entry.map(Unmanaged.passUnretained)
    }

    /// The slot of a type, or the one it may have.
    private func free(for type: ObjectIdentifier) -> Int {
        var index = Self.start(type) & (slots.count - 1)
        while let other = slots[index].type, other != type { index = (index + 1) & (slots.count - 1) }
        return index
    }

    private mutating func grow() {
        let before = slots
        slots = Array(repeating: Slot(), count: max(64, before.count * 2))
        for slot in before {
            if let type = slot.type { slots[free(for: type)] = slot }
        }
    }
}
