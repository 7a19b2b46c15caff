/// An open-addressing hash table from an id to the places of its items in an array.
@usableFromInline struct PlaceTable {
    /// The slots: the upper half of a hash, with its highest bit set, and a place. The place is
    /// that of the first item with that id. An empty slot is zero.
    @usableFromInline var slots: ContiguousArray<UInt64> = []
    @usableFromInline var mask = 0

    @inlinable init() {}

    @inlinable static var places: UInt64 { 0xFFFF_FFFF }

    /// Empties the table and makes room for `count` items.
    @inlinable mutating func reset(for count: Int) {
        // The next power of two that is at least twice the count: at least half of the slots stay
        // empty.
        let capacity = 1 << (Int.bitWidth - (2 * count - 1).leadingZeroBitCount)
        if slots.count < capacity {
            slots = ContiguousArray(repeating: 0, count: capacity)
        } else {
            // Only the slots that this use can reach are cleared. A large table would otherwise
            // cost its whole size for each small section.
            for index in 0..<capacity { slots[index] = 0 }
        }
        mask = capacity - 1
    }

    /// Inserts an item before the items of the same id that are in the table already.
    @inlinable mutating func insert<ID>(_ place: Int, of items: inout ContiguousArray<Unpaired<ID>>) {
        let slot = slot(of: items[place], items)
        // Equal ids are chained through the items, so they take one slot.
        items[place].next = slots[slot] == 0 ? Unpaired<ID>.last : Int32(slots[slot] & Self.places)
        slots[slot] = Self.tag(items[place].hash) | UInt64(place)
    }

    /// Removes and returns the first remaining item of this id.
    @inlinable mutating func take<ID>(_ item: Unpaired<ID>, of items: inout ContiguousArray<Unpaired<ID>>) -> Int? {
        let slot = slot(of: item, items)
        guard slots[slot] != 0 else { return nil }
        let first = Int(slots[slot] & Self.places)
        switch items[first].next {
        case Unpaired<ID>.taken: return nil
        // The last item stays in its slot, because lookups compare their id with it.
        case Unpaired<ID>.last: items[first].next = Unpaired<ID>.taken
        case let next: slots[slot] = Self.tag(item.hash) | UInt64(UInt32(bitPattern: next))
        }
        return first
    }

    /// Returns the slot of the id, or the empty slot where it belongs.
    ///
    /// The loop ends because at least half of the slots are empty.
    @inlinable func slot<ID>(of item: Unpaired<ID>, _ items: ContiguousArray<Unpaired<ID>>) -> Int {
        let tag = Self.tag(item.hash)
        var index = Int(truncatingIfNeeded: item.hash) & mask
        while slots[index] != 0 {
            let slot = slots[index]
            // The tag rejects nearly all other ids without a call of their `==`.
            if slot & ~Self.places == tag, items[Int(slot & Self.places)].id == item.id { return index }
            index = (index + 1) & mask
        }
        return index
    }

    @inlinable static func tag(_ hash: UInt) -> UInt64 { (UInt64(hash) | 1 << 63) & ~places }
}

/// An item without a partner so far.
@usableFromInline struct Unpaired<ID: Hashable> {
    @usableFromInline let id: ID
    @usableFromInline let hash: UInt
    @usableFromInline let index: Int32
    /// The place of the next item with the same id, or `last`, or `taken`.
    @usableFromInline var next = Self.last

    @inlinable static var last: Int32 { -1 }
    @inlinable static var taken: Int32 { -2 }

    @inlinable init(id: ID, index: Int) {
        self.id = id
        self.hash = UInt(bitPattern: id.hashValue)
        self.index = Int32(index)
    }
}
