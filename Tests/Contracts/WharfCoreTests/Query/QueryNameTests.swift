import Testing
import WharfChecks
import WharfCoreLaws
import WharfRandom

@testable import WharfCore

/// The name of a query, under which its list is stored.
@Suite struct QueryNameTests {
    @Test func differentQueriesHaveDifferentNames() throws {
        var named: [String: RowQuery] = [:]
        for query in try QuerySamples.query.samples(20_000, seed: 4) {
            if let known = named.updateValue(query, forKey: query.name) { #expect(known == query) }
        }
        #expect(named.count > 10_000)
    }

    @Test func parametersAndTheirConditionsAreInTheName() {
        func name(_ parameters: QueryParameter...) -> String {
            var query = RowQuery()
            query.parameters = parameters
            return query.name
        }
        let names = [
            name(), name(QueryParameter("q", "a")), name(QueryParameter("q", "b")),
            name(QueryParameter("qa", "")), name(QueryParameter("q", "a", matching: .always)),
            name(QueryParameter("q", "a", matching: .hasWords("t", SearchWords("a")))),
            name(QueryParameter("q", "a", matching: .hasWords("t", SearchWords("a b")))),
            name(QueryParameter("q", "a", matching: .hasWords("t", SearchWords("ab")))),
            name(QueryParameter("q", "a"), QueryParameter("q", "a")),
        ]
        #expect(Set(names).count == names.count)
    }

    @Test func equalQueriesHaveEqualNames() throws {
        var names: [RowQuery: String] = [:]
        var random = SeededGenerator(seed: 5)
        for query in try QuerySamples.query.samples(20_000, seed: 5) {
            if let known = names.updateValue(query.name, forKey: query) { #expect(known == query.name) }
        }
        // A set has no order, and a number is equal in its different forms.
        let values: [FieldValue] = [FieldValue(1 as Int64), FieldValue("a"), .null, FieldValue(0.5)]
        for _ in 0..<20 {
            let one = RowQuery(.isIn("a", Set(values.shuffled(using: &random))))
            let other = RowQuery(.isIn("a", Set(values.shuffled(using: &random))))
            #expect(one.name == other.name)
        }
    }
}
