/// As ``PreparedContainer``, for encoding.
protocol PreparedSlots<Key>: KeyedEncodingContainerProtocol {
    init(_ tree: EncodedTree, _ place: CodingPlace)
    static func box(_ tree: EncodedTree, _ place: CodingPlace) -> KeyedEncodingContainer<Key>
}

extension PreparedSlots {
    // Specialised for a type it would look everything up again.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func box(_ tree: EncodedTree, _ place: CodingPlace) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(Self(tree, place))
    }
}

extension KeyedSlots: PreparedSlots {}

/// The container types of an encoding by their type of key.
struct PreparedSlotTypes {
    private struct Slot {
        var key: ObjectIdentifier?
        var container: (any PreparedSlots.Type)?
    }

    private var slots: [Slot] = Array(repeating: Slot(), count: 64)

    @inline(__always) mutating func container<Key: CodingKey>(for type: Key.Type) -> any PreparedSlots<Key>.Type {
        let identity = ObjectIdentifier(type)
        let index = Int((UInt(bitPattern: identity) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if _fastPath(slots[index].key == identity), let container = slots[index].container {
            // What is kept for a type of key is the container for it; both metatypes are the same two words.
            return unsafeBitCast(container, to: (any PreparedSlots<Key>.Type).self)
        }
        return prepare(type, at: index)
    }

    @inline(never) private mutating func prepare<Key: CodingKey>(
        _ type: Key.Type, at index: Int
    ) -> any PreparedSlots<Key>.Type {
        slots[index] = Slot(key: ObjectIdentifier(type), container: KeyedSlots<Key>.self)
        return KeyedSlots<Key>.self
    }
}
