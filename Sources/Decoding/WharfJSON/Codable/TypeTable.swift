/// A hash table by type for one document, whose hits cost one comparison.
struct TypeTable<Entry: AnyObject> {
    private struct Slot {
        var type: ObjectIdentifier?
        /// nil if the type has no entry.
        var entry: Entry?
    }

    /// The slots: none at first, then a power of two, of which more than half are free.
    private var slots: [Slot] = []
    private var count = 0

    /// - Parameter make: called once per type; its entry must be made for exactly this type.
    /// - Returns: an entry that lives as long as the table.
    @inline(__always) mutating func entry(for type: ObjectIdentifier, _ make: () -> Entry?) -> Unmanaged<Entry>? {
        // With no slots the mask is -1, and the index is beyond the empty array.
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
        // `make` does not call this table, so the slot is still free.
        slots[found] = Slot(type: type, entry: entry)
        count += 1
        if count * 2 > slots.count { grow() }
        return entry.map(Unmanaged.passUnretained)
    }

    /// Returns the slot of a type, or the free slot for it.
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
