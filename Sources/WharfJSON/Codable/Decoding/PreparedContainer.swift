/// A container whose generic type and conformance are at hand, and not looked up by the runtime each time: for small objects that
/// takes longer than reading them.
protocol PreparedContainer: KeyedDecodingContainerProtocol {
    init(_ document: CodableDocument, _ place: CodingPlace) throws
    static func box(_ document: CodableDocument, _ place: CodingPlace) throws -> KeyedDecodingContainer<Key>
}

extension PreparedContainer {
    // Specialised for a type it would look everything up again.
    @inline(never) @_semantics("optimize.sil.specialize.generic.never")
    static func box(_ document: CodableDocument, _ place: CodingPlace) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try Self(document, place))
    }
}

extension KeyedNodes: PreparedContainer {}

/// The container types of a document by their type of key.
struct PreparedContainers {
    private struct Slot {
        var key: ObjectIdentifier?
        var container: (any PreparedContainer.Type)?
    }

    private var slots: [Slot] = Array(repeating: Slot(), count: 64)

    @inline(__always) mutating func container<Key: CodingKey>(for type: Key.Type) -> any PreparedContainer.Type {
        let identity = ObjectIdentifier(type)
        let index = Int((UInt(bitPattern: identity) &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if _fastPath(slots[index].key == identity), let container = slots[index].container { return container }
        slots[index] = Slot(key: ObjectIdentifier(type), container: KeyedNodes<Key>.self)
        return KeyedNodes<Key>.self
    }
}

extension CodableDocument {
    @inline(__always) func container<Key: CodingKey>(
        _ type: Key.Type, at place: CodingPlace
    ) throws -> KeyedDecodingContainer<Key> {
        try box(containers.container(for: type), place)
    }

    @inline(__always) private func box<Container: PreparedContainer, Key>(
        _ container: Container.Type, _ place: CodingPlace
    ) throws -> KeyedDecodingContainer<Key> {
        // What is kept for a type of key is the container for it, so `Container.Key` is `Key`.
        unsafeBitCast(try container.box(self, place), to: KeyedDecodingContainer<Key>.self)
    }
}
