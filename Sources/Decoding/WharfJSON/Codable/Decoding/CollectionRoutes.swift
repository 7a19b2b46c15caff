extension Optional: CodableRouted where Wrapped: Decodable {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        CodableRouteOf<Self> { decoder in
            decoder.decodeNil() ? nil : try decoder.decode(Wrapped.self)
        }
    }
}

extension Array: CodableRouted where Element: Decodable {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        if let scalar = Element.self as? any CodableScalar.Type { return scalar.arrayRoute() }
        return CodableRouteOf<Self> { decoder in
            let (document, place) = (decoder.document, decoder.place)
            guard document.nodes[place.index].kind == .array else { throw document.noUnkeyedContainer(at: place) }
            var values: Self = []
            values.reserveCapacity(Int(document.nodes[place.index].count))
            var index = place.index + 2
            let stop = Int(document.nodes[place.index].end)
            let route = document.route(for: Element.self)
            while index < stop {
                values.append(try document.decode(Element.self, route, at: index, element: values.count, in: place))
                index = document.following(index)
            }
            return values
        }
    }
}

extension Dictionary: CodableRouted where Key: Decodable, Value: Decodable {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        // Other keys have their own coding, which only `init(from:)` knows.
        guard Key.self == String.self else { return nil }
        let isDefault: Bool
        if case .useDefaultKeys = decoder.keyDecodingStrategy { isDefault = true } else { isDefault = false }
        return CodableRouteOf<[String: Value]> { decoder in
            try decoder.dictionary(of: Value.self) {
                isDefault ? ElementKey(dictionaryKey: $0) : ElementKey(stringValue: $0)
            }
        }
    }
}

extension JSONNodeDecoder {
    /// Returns the values of an object by their keys, which no strategy converts.
    ///
    /// If a key is repeated, its first value counts.
    fileprivate func dictionary<Value: Decodable>(
        of type: Value.Type, _ key: (String) -> ElementKey
    ) throws -> [String: Value] {
        let object = place.index
        guard document.nodes[object].kind == .object else { throw document.noKeyedContainer(at: place) }
        var values = [String: Value](minimumCapacity: Int(document.nodes[object].count))
        let route = document.route(for: type)
        try document.forEachKey(of: object) { text, index in
            guard values[text] == nil else { return }
            values[text] = try document.decode(type, route, at: index, key(text), in: place)
        }
        return values
    }
}
