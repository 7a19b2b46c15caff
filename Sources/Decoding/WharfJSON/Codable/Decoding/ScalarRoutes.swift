/// A scalar that is read without a container, even if a generic type such as an array asks for it.
protocol CodableScalar: CodableRouted {
    /// Returns nil if the value is of another kind.
    static func read(_ document: CodableDocument, _ index: Int) -> Self?
}

extension CodableScalar {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        CodableRouteOf<Self> { decoder in
            guard let value = read(decoder.document, decoder.place.index) else {
                throw decoder.document.mismatch(Self.self, at: decoder.place)
            }
            return value
        }
    }

    static func arrayRoute() -> CodableRoute {
        CodableRouteOf<[Self]> { decoder in
            let document = decoder.document
            let array = decoder.place.index
            guard document.nodes[array].kind == .array else { throw document.noUnkeyedContainer(at: decoder.place) }
            var values: [Self] = []
            values.reserveCapacity(Int(document.nodes[array].count))
            var index = array + 2
            let stop = Int(document.nodes[array].end)
            while index < stop {
                guard let value = read(document, index) else {
                    throw document.mismatch(Self.self, index, ElementKey(index: values.count), in: decoder.place)
                }
                values.append(value)
                index = document.following(index)
            }
            return values
        }
    }
}

extension CodableScalar where Self: FixedWidthInteger {
    static func read(_ document: CodableDocument, _ index: Int) -> Self? { document.integer(index, as: Self.self) }
}

extension Bool: CodableScalar {
    static func read(_ document: CodableDocument, _ index: Int) -> Bool? { document.bool(index) }
}

extension String: CodableScalar {
    static func read(_ document: CodableDocument, _ index: Int) -> String? { document.string(index) }
}

extension Double: CodableScalar {
    static func read(_ document: CodableDocument, _ index: Int) -> Double? {
        document.double(index) ?? document.nonConforming(index, as: Self.self)
    }
}

extension Float: CodableScalar {
    static func read(_ document: CodableDocument, _ index: Int) -> Float? {
        document.float(index) ?? document.nonConforming(index, as: Self.self)
    }
}

extension Int: CodableScalar {}
extension Int8: CodableScalar {}
extension Int16: CodableScalar {}
extension Int32: CodableScalar {}
extension Int64: CodableScalar {}
extension UInt: CodableScalar {}
extension UInt8: CodableScalar {}
extension UInt16: CodableScalar {}
extension UInt32: CodableScalar {}
extension UInt64: CodableScalar {}
