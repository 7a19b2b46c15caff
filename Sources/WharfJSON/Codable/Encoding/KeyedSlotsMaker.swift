/// Makes the keyed containers of one key type: see ``AnyKeyedNodesMaker``.
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
        // By the static type, which the entry is made of: that of a class may be a subclass.
        let maker = containers.entry(for: ObjectIdentifier(Key.self)) { KeyedSlotsMaker<KeyedSlots<Key>>() }
        return maker.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            // There is one, as none is made nil, and it was made for this type of key.
            unsafeDowncast($0, to: KeyedSlotsMakerOf<Key>.self).make(self, place)
        }
    }
}
