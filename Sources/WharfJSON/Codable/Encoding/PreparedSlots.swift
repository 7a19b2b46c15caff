/// As ``PreparedContainer``, for encoding.
protocol PreparedSlots: KeyedEncodingContainerProtocol {
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

    @inline(__always) mutating func container<Key: CodingKey>(for type: Key.Type) -> any PreparedSlots.Type {
        let identity = ObjectIdentifier(type)
        let index = Int((UInt(bitPattern: identity) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if _fastPath(slots[index].key == identity), let container = slots[index].container { return container }
        slots[index] = Slot(key: ObjectIdentifier(type), container: KeyedSlots<Key>.self)
        return KeyedSlots<Key>.self
    }
}

extension EncodedTree {
    @inline(__always) func container<Key: CodingKey>(
        _ type: Key.Type, at place: CodingPlace
    ) -> KeyedEncodingContainer<Key> {
        box(containers.container(for: type), place)
    }

    @inline(__always) private func box<Container: PreparedSlots, Key>(
        _ container: Container.Type, _ place: CodingPlace
    ) -> KeyedEncodingContainer<Key> {
        // What is kept for a type of key is the container for it, so `Container.Key` is `Key`.
        unsafeBitCast(container.box(self, place), to: KeyedEncodingContainer<Key>.self)
    }
}
