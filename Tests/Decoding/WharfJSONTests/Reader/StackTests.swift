import Testing
import WharfJSON

/// Recursive types in deep documents, on a stack that is too small for them.
@Suite struct StackTests {
    private final class Chain: JSONDecodable, Decodable {
        let next: Chain?

        init(next: Chain?) { self.next = next }

        static func decode(from json: inout JSONReader) -> Chain? {
            guard var fields = json.beginObject() else { return nil }
            var next: Chain??
            repeat { json.read("next", 0, into: &next, &fields) } while json.next(&fields)
            return Chain(next: next ?? nil)
        }
    }

    private let document = Array(
        (String(repeating: #"{"next":"#, count: 500) + "{}" + String(repeating: "}", count: 500)).utf8)

    @Test func typeTooDeepForTheStackIsALocatedError() throws {
        var options = JSONReadingOptions()
        options.stackBudget = 20_000
        let error = try #require(throws: JSONError.self) {
            try JSON.decode(Chain.self, from: document, options: options)
        }
        #expect(error.code == .tooDeep)
        #expect(error.issues.count == 1)
        #expect((32..<500).contains(error.path.steps.count))
        #expect(
            error.location
                == SourceLocation(offset: error.path.steps.count * 8, line: 1, column: error.path.steps.count * 8 + 1))
        #expect(try depth(JSON.decode(Chain.self, from: document)) == 501)
    }

    @Test func treeIsReadWithinASmallStackBudget() throws {
        var options = JSONReadingOptions()
        options.stackBudget = 20_000
        let tree = try JSON.decode(JSONValue.self, from: document, options: options)
        #expect(tree == (try JSON.decode(JSONValue.self, from: document)))
    }

    @Test func codableTypeTooDeepForTheStackIsAnErrorWithItsPath() throws {
        var decoder = CodableJSONDecoder()
        decoder.stackBudget = 20_000
        let error = try #require(throws: DecodingError.self) { try decoder.decode(Chain.self, from: document) }
        guard case .dataCorrupted(let context) = error, let cause = context.underlyingError as? JSONError else {
            Issue.record("\(error)")
            return
        }
        #expect(cause.code == .tooDeep)
        #expect(cause.path.steps.count == context.codingPath.count)
        #expect((32..<500).contains(cause.path.steps.count))
    }

    private func depth(_ chain: Chain) -> Int {
        var (count, rest) = (1, chain.next)
        while let next = rest { (count, rest) = (count + 1, next.next) }
        return count
    }
}
