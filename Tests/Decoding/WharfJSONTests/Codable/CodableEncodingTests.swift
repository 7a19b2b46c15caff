import Testing
import WharfJSON

/// Depth, paths and misuse of `CodableJSONEncoder`.
@Suite struct CodableEncodingTests {
    @Test(arguments: Nest.Way.allCases, [1, 2, 7, 512]) func nestingAtMaximumDepthEncodesAndDeeperThrows(
        _ way: Nest.Way, _ limit: Int
    ) throws {
        var encoder = CodableJSONEncoder()
        encoder.maximumDepth = limit
        let bytes: [UInt8] = try encoder.encode(Nest(depth: limit, way: way))
        #expect(bytes.count { $0 == 0x5B || $0 == 0x7B } == limit)
        #expect(Grammar.accepts(bytes))
        let error = #expect(throws: EncodingError.self) {
            try encoder.encode(Nest(depth: limit + 1, way: way)) as [UInt8]
        }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.debugDescription.contains("more than \(limit) levels"))
    }

    @Test func aKeyStrategyIsGivenTheWholePath() throws {
        var encoder = CodableJSONEncoder()
        encoder.keyEncodingStrategy = .custom { path in TextKey(path.map(\.stringValue).joined(separator: ".")) }
        struct Outer: Encodable {
            struct Inner: Encodable { let value = 1 }
            let inner = [Inner()], byName = ["aB": Inner()]

            enum CodingKeys: CodingKey { case inner, byName, nested }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(inner, forKey: .inner)
                try container.encode(byName, forKey: .byName)
                var nested = container.nestedContainer(keyedBy: TextKey.self, forKey: .nested)
                try nested.encode(Inner(), forKey: TextKey("x"))
            }
        }
        #expect(
            try text([Outer()], encoder) == #"[{"Index 0.inner":[{"Index 0.inner.Index 0.value":1}],"#
                + #""Index 0.byName":{"aB":{"Index 0.byName.aB.value":1}},"#
                + #""Index 0.nested":{"Index 0.nested.x":{"Index 0.nested.x.value":1}}}]"#)
    }

    @Test func secondValueAfterSingleValueContainerThrows() {
        struct Twice: Encodable {
            let again: @Sendable (any Encoder) throws -> Void

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
                try again(encoder)
            }
        }
        let ways: [@Sendable (any Encoder) throws -> Void] = [
            { encoder in
                var container = encoder.singleValueContainer()
                try container.encode(2)
            },
            { encoder in
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            },
            { encoder in
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode("x", forKey: TextKey("a"))
            },
            { try [1].encode(to: $0) },
        ]
        for again in ways {
            #expect(throws: EncodingError.self) { try CodableJSONEncoder().encode(Twice(again: again)) as [UInt8] }
        }
    }

    @Test(arguments: [true, false]) func infiniteNumbersInContainersNameTheirPath(_ isFloat: Bool) throws {
        struct List: Encodable {
            let isFloat: Bool

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                var list = container.nestedUnkeyedContainer(forKey: TextKey("list"))
                try list.encode(1.5)
                try list.encode(Float(2.5))
                if isFloat { try list.encode(Float.nan) } else { try list.encode(-Double.infinity) }
            }
        }
        let error = #expect(throws: EncodingError.self) {
            try CodableJSONEncoder().encode(List(isFloat: isFloat)) as [UInt8]
        }
        guard case .invalidValue(_, let context)? = error else { return }
        #expect(context.codingPath.map(\.stringValue) == ["list", "Index 2"])
        #expect((context.underlyingError as? JSONError)?.path.description == "list[2]")
    }

    private func text(_ value: some Encodable, _ encoder: CodableJSONEncoder) throws -> String {
        String(decoding: try encoder.encode(value) as [UInt8], as: UTF8.self)
    }

    /// Nested arrays or objects, with a number or nothing in the innermost.
    struct Nest: Encodable {
        enum Way: CaseIterable, Sendable { case arrays, objects, nested, empty }
        let depth: Int, way: Way

        func encode(to encoder: any Encoder) throws {
            switch way {
            case .arrays, .empty:
                var container = encoder.unkeyedContainer()
                if depth > 1 {
                    try container.encode(Nest(depth: depth - 1, way: way))
                } else if way == .arrays {
                    try container.encode(1)
                }
            case .objects:
                var container = encoder.container(keyedBy: TextKey.self)
                if depth > 1 {
                    try container.encode(Nest(depth: depth - 1, way: way), forKey: TextKey("a"))
                } else {
                    try container.encode([1: "x"].count, forKey: TextKey("a"))
                }
            case .nested:
                var container = encoder.unkeyedContainer()
                for _ in 1..<depth { container = container.nestedUnkeyedContainer() }
                try container.encode(["x"].first)
            }
        }
    }
}
