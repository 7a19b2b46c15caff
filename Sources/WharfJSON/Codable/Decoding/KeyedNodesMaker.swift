/// Makes the keyed containers of one key type.
///
/// To name the generic types of a container the runtime looks up each of them; here that is done
/// once for a key type and not once for each object, of which there may be a hundred thousand.
class AnyKeyedNodesMaker {}

class KeyedNodesMakerOf<Key: CodingKey>: AnyKeyedNodesMaker {
    func make(_ document: CodableDocument, _ place: CodingPlace) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try KeyedNodes<Key>(document, place))
    }
}

/// Always with `KeyedNodes` of the key; as a parameter of the class, its type stands in the class's
/// own.
private final class KeyedNodesMaker<Nodes: KeyedNodesMaking>: KeyedNodesMakerOf<Nodes.Key> {
    override func make(_ document: CodableDocument, _ place: CodingPlace) throws -> KeyedDecodingContainer<Nodes.Key> {
        KeyedDecodingContainer(try Nodes(document, place))
    }
}

private protocol KeyedNodesMaking: KeyedDecodingContainerProtocol {
    init(_ document: CodableDocument, _ place: CodingPlace) throws
}

extension KeyedNodes: KeyedNodesMaking {}

extension CodableDocument {
    @inline(__always) func container<Key: CodingKey>(
        keyedBy type: Key.Type, at place: CodingPlace
    ) throws -> KeyedDecodingContainer<Key> {
        // By the static type, which the entry is made of: that of a class may be a subclass.
        let maker = containers.entry(for: ObjectIdentifier(Key.self)) { KeyedNodesMaker<KeyedNodes<Key>>() }
        return try maker.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            // There is one, as none is made nil, and it was made for this type of key.
            try unsafeDowncast($0, to: KeyedNodesMakerOf<Key>.self).make(self, place)
        }
    }
}
