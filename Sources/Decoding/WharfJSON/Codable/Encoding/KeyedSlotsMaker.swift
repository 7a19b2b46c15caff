/// A factory of keyed containers for one type of key: see ``AnyKeyedNodesMaker``.
class AnyKeyedSlotsMaker {}

class KeyedSlotsMakerOf<Key: CodingKey>: AnyKeyedSlotsMaker {
    func make(_ tree: EncodedTree, _ place: CodingPlace) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedSlots<Key>(tree, place))
    }
}

private final class KeyedSlotsMaker<Slots: KeyedSlotsMaking>: KeyedSlotsMakerOf<Slots.Key> {
    override func make(_ tree: EncodedTree, _ place: CodingPlace) -> KeyedEncodingContainer<Slots.Key> {
        KeyedEncodingContainer(Slots(tree, place))
    }
}

private protocol KeyedSlotsMaking: KeyedEncodingContainerProtocol {
    init(_ tree: EncodedTree, _ place: CodingPlace)
}

extension KeyedSlots: KeyedSlotsMaking {}

extension EncodedTree {
    @inline(__always) func container<Key: CodingKey>(
        keyedBy type: Key.Type, at place: CodingPlace
    ) -> KeyedEncodingContainer<Key> {
        // The key is the static type `Key`, for which the entry is made. The dynamic type of a
        // class may be a subclass.
        let maker = containers.entry(for: ObjectIdentifier(Key.self)) { KeyedSlotsMaker<KeyedSlots<Key>>() }
        return maker.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            // An entry is never nil, and it was made for this type of key.
            unsafeDowncast($0, to: KeyedSlotsMakerOf<Key>.self).make(self, place)
        }
    }
}
