/// A factory of keyed containers for one type of key.
///
/// To create a container the runtime looks up each of its generic types. The factory does that once
/// per type of key, and not once per object, of which there may be a hundred thousand.
class AnyKeyedNodesMaker {}

class KeyedNodesMakerOf<Key: CodingKey>: AnyKeyedNodesMaker {
    func make(_ document: CodableDocument, _ place: CodingPlace) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try KeyedNodes<Key>(document, place))
    }
}

/// The factory for `KeyedNodes`.
///
/// As a parameter of the class the container's type is part of the class's metadata, so no lookup
/// is needed.
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
        // The key is the static type `Key`, for which the entry is made. The dynamic type of a
        // class may be a subclass.
        let maker = containers.entry(for: ObjectIdentifier(Key.self)) { KeyedNodesMaker<KeyedNodes<Key>>() }
        return try maker.unsafelyUnwrapped._withUnsafeGuaranteedRef {
            // An entry is never nil, and it was made for this type of key.
            try unsafeDowncast($0, to: KeyedNodesMakerOf<Key>.self).make(self, place)
        }
    }
}
