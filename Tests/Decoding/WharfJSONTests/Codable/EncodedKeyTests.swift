import Testing
import WharfJSON

/// Repeated keys in objects of few and of many keys. Another test compares them with Foundation.
@Suite struct EncodedKeyTests {
    private static let counts = [0, 1, 62, 63, 64, 65, 200]

    @Test(arguments: counts) func failedValueLeavesNoTraceInTheOutput(_ count: Int) throws {
        struct Second: Encodable {
            let count: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                for index in 0..<count { try container.encode(index, forKey: TextKey("key\(index)")) }
                #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: TextKey("x")) }
                #expect(throws: EncodingError.self) { try container.encode(-Float.infinity, forKey: TextKey("y")) }
                #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: TextKey("z")) }
                if count > 0 {
                    #expect(throws: EncodingError.self) { try container.encode(Double.nan, forKey: TextKey("key0")) }
                    try container.encode(7, forKey: TextKey("key0"))
                }
                try container.encode(8, forKey: TextKey("x"))
                var nested = container.nestedUnkeyedContainer(forKey: TextKey("y"))
                try nested.encode(9)
            }
        }
        var members = (0..<count).map { "\"key\($0)\":\($0 == 0 ? 7 : $0)" }
        members += ["\"x\":8", "\"y\":[9]"]
        #expect(try text(Second(count: count)) == "{\(members.joined(separator: ","))}")
    }

    @Test(arguments: counts, counts) func nestedContainerExtendsTheObjectThatReplacedItsFirst(
        _ count: Int, _ before: Int
    ) throws {
        struct Replaced: Encodable {
            let count: Int, before: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                var first = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("a"))
                for index in 0...before { try first.encode(1, forKey: TextKey("key\(index)")) }
                try container.encode(Numbers(count: count), forKey: TextKey("a"))
                var second = container.nestedContainer(keyedBy: TextKey.self, forKey: TextKey("a"))
                for index in 0...count { try second.encode(3, forKey: TextKey("key\(index)")) }
            }
        }
        let members = (0...count).map { "\"key\($0)\":3" }
        #expect(try text(Replaced(count: count, before: before)) == "{\"a\":{\(members.joined(separator: ","))}}")
    }

    @Test(arguments: counts, counts) func superEncoderStartsWithNoEarlierKeys(_ count: Int, _ before: Int) throws {
        struct Emptied: Encodable {
            let count: Int, before: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                try container.encode(Numbers(count: before), forKey: TextKey("super"))
                try container.encode(true, forKey: TextKey("other"))
                try Numbers(count: count).encode(to: container.superEncoder())
            }
        }
        let members = (0...count).map { "\"key\($0)\":2" }.joined(separator: ",")
        #expect(try text(Emptied(count: count, before: before)) == "{\"super\":{\(members)},\"other\":true}")
    }

    @Test(arguments: counts) func dictionaryEncodedAfterContainerReplacesItsKeys(_ count: Int) throws {
        struct Behind: Encodable {
            let count: Int

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: TextKey.self)
                for index in 0...count { try container.encode(1, forKey: TextKey("key\(index)")) }
                var single = encoder.singleValueContainer()
                try single.encode(["key0": 7])
                try single.encode(["key\(count)": 8])
            }
        }
        let members = (0...count).map { "\"key\($0)\":\($0 == count ? 8 : $0 == 0 ? 7 : 1)" }
        #expect(try text(Behind(count: count)) == "{\(members.joined(separator: ","))}")
    }

    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try CodableJSONEncoder().encode(value), as: UTF8.self)
    }

    private struct Numbers: Encodable {
        let count: Int

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: TextKey.self)
            for index in 0...count { try container.encode(2, forKey: TextKey("key\(index)")) }
        }
    }
}
