import Testing
import WharfJSON

/// Coding keys that are classes. A container's keys have the static type, and the requested key may
/// be of a subclass.
@Suite struct ClassKeyTests {
    @Test(arguments: [[true, false], [false, true], [true, true], [false, false]])
    func superclassAndSubclassContainersUseTheirOwnKeys(_ kinds: [Bool]) throws {
        let value = kinds.map { Part(isByBase: $0, number: $0 ? 1 : 2) }
        let bytes: [UInt8] = try CodableJSONEncoder().encode(value)
        let expected = kinds.map { $0 ? #"{"number":1,"inner":{"number":1}}"# : #"{"number":2,"inner":{"number":2}}"# }
        #expect(String(decoding: bytes, as: UTF8.self) == "[\(expected.joined(separator: ","))]")
        #expect(try CodableJSONDecoder().decode([Seen].self, from: bytes).count == 2)
        var decoder = CodableJSONDecoder()
        decoder.userInfo = [Seen.key: kinds]
        let seen = try decoder.decode([Seen].self, from: bytes)
        #expect(seen.map(\.isByBase) == kinds)
        #expect(seen.map(\.number) == value.map(\.number))
        #expect(seen.map(\.inner) == value.map(\.number))
        // The container makes its keys with the type that it was requested with statically.
        #expect(
            seen.map(\.names)
                == kinds.map { $0 ? ["base inner", "base number"] : ["derived inner", "derived number"] })
        #expect(seen.map(\.path) == [["Index 0", "inner"], ["Index 1", "inner"]])
    }

    private class BaseKey: CodingKey, @unchecked Sendable {
        let stringValue: String
        var intValue: Int? { nil }
        var name: String { "base \(stringValue)" }

        required init(stringValue: String) { self.stringValue = stringValue }
        required init?(intValue: Int) { nil }
    }

    private final class DerivedKey: BaseKey, @unchecked Sendable {
        let length: Int
        override var name: String { "derived \(stringValue)" }

        required init(stringValue: String) {
            length = stringValue.count
            super.init(stringValue: stringValue)
        }
        required init?(intValue: Int) { nil }
    }

    private struct Part: Encodable {
        let isByBase: Bool
        let number: Int

        func encode(to encoder: any Encoder) throws {
            if isByBase {
                // The requested type is a subclass, but the container's keys are of the base class.
                var fields = encoder.container(keyedBy: DerivedKey.self as BaseKey.Type)
                try fields.encode(number, forKey: BaseKey(stringValue: "number"))
                var inner = fields.nestedContainer(
                    keyedBy: DerivedKey.self as BaseKey.Type, forKey: BaseKey(stringValue: "inner"))
                try inner.encode(number, forKey: BaseKey(stringValue: "number"))
            } else {
                var fields = encoder.container(keyedBy: DerivedKey.self)
                try fields.encode(number, forKey: DerivedKey(stringValue: "number"))
                var inner = fields.nestedContainer(keyedBy: DerivedKey.self, forKey: DerivedKey(stringValue: "inner"))
                try inner.encode(number, forKey: DerivedKey(stringValue: "number"))
            }
        }
    }

    private struct Seen: Decodable {
        static let key = CodingUserInfoKey(rawValue: "kinds")!
        let isByBase: Bool
        let number: Int
        let inner: Int
        let names: [String]
        let path: [String]

        init(from decoder: any Decoder) throws {
            let index = decoder.codingPath.last?.intValue ?? 0
            isByBase = (decoder.userInfo[Self.key] as? [Bool])?[index] ?? true
            if isByBase {
                let fields = try decoder.container(keyedBy: DerivedKey.self as BaseKey.Type)
                number = try fields.decode(Int.self, forKey: BaseKey(stringValue: "number"))
                let inner = try fields.nestedContainer(
                    keyedBy: DerivedKey.self as BaseKey.Type, forKey: BaseKey(stringValue: "inner"))
                self.inner = try inner.decode(Int.self, forKey: BaseKey(stringValue: "number"))
                names = fields.allKeys.map(\.name).sorted()
                path = inner.codingPath.map(\.stringValue)
            } else {
                let fields = try decoder.container(keyedBy: DerivedKey.self)
                number = try fields.decode(Int.self, forKey: DerivedKey(stringValue: "number"))
                let inner = try fields.nestedContainer(
                    keyedBy: DerivedKey.self, forKey: DerivedKey(stringValue: "inner"))
                self.inner = try inner.decode(Int.self, forKey: DerivedKey(stringValue: "number"))
                names = fields.allKeys.filter { $0.length == $0.stringValue.count }.map(\.name).sorted()
                path = inner.codingPath.map(\.stringValue)
            }
        }
    }
}
