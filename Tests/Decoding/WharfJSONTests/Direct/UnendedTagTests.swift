import Testing
import WharfJSON

/// A union with an internal tag whose value forgets to end its object.
@Suite struct UnendedTagTests {
    /// The bracket is the last byte of the capacity, or near it.
    @Test(arguments: 50...70, [64, 128]) func unendedTaggedObjectIsALocatedError(
        _ length: Int, _ capacity: Int
    ) throws {
        var json = JSONWriter(capacity: capacity)
        json.beginArray()
        json.element(String(repeating: "x", count: length + capacity - 64))
        json.element(Open.only)
        json.element(7)
        json.endArray()
        var thrown: JSONError?
        do throws(JSONError) { _ = try json.finish() } catch { thrown = error }
        let error = try #require(thrown)
        #expect(error.issues.count == 1)
        #expect(error.code == .notEncodable)
        #expect(error.path.description == "[1]")
        #expect(error.issues[0].expected == #"an object to put the tag "t" into"#)
        // After the bracket, the quotes and the comma.
        #expect(error.location.offset == length + capacity - 64 + 4)
    }

    @Test func emptyObjectIsWrittenWithTagOnly() throws {
        #expect(try text([Ended.only, .only]) == #"[{"t":"only"},{"t":"only"}]"#)
    }

    private enum Open: JSONPolymorphic {
        case only
        enum Kind: String, CaseIterable, Hashable, Sendable { case only }
        static var discriminator: StaticString { "t" }
        static var content: StaticString? { nil }
        var kind: Kind { .only }
        static func decode(_ kind: Kind, from json: inout JSONReader) -> Open? { nil }
        func encodeContent(into json: inout JSONWriter) { json.beginObject() }
    }

    private enum Ended: JSONPolymorphic {
        case only
        enum Kind: String, CaseIterable, Hashable, Sendable { case only }
        static var discriminator: StaticString { "t" }
        static var content: StaticString? { nil }
        var kind: Kind { .only }
        static func decode(_ kind: Kind, from json: inout JSONReader) -> Ended? { nil }
        func encodeContent(into json: inout JSONWriter) {
            json.beginObject()
            json.endObject()
        }
    }
}
