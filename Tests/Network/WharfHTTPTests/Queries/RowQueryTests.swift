import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfHTTP

@Suite struct RowQueryTests {
    @Test func aQueryIsReadableInAURL() {
        let query = RowQuery(
            .all([
                .ordered("due", .less, FieldValue(1_700_000_000 as Int64)), .not(.hasPrefix("title", "re:")),
                .isIn("size", [FieldValue(2 as Int64), .null, FieldValue("x,\"y\"")]),
            ]),
            sort: [SortKey("due", descending: true), SortKey("a b")], limit: 20,
            after: Cursor(values: [FieldValue(0.5), .null], id: "n7")
        )
        #expect(
            Query(query).items == [
                QueryItem("filter", #"and(lt(due,1700000000),not(prefix(title,"re:")),in(size,null,2,"x,\"y\""))"#),
                QueryItem("sort", #"-due,"a b""#), QueryItem("limit", "20"), QueryItem("after", #"0.5,null,"n7""#),
            ])
        #expect(Query(RowQuery()).items.isEmpty)
    }

    @Test func rowQueryRoundTripsThroughURLItems() async throws {
        try await forAll(QuerySamples.query, runs: 4_000) { query in
            let read = try RowQuery(Query(query))
            try require(read == query, "\(Query(query).items) was read as \(read)")
        }
    }

    @Test func parametersAreItemsAsTheyAre() {
        var query = RowQuery(.equal("a", FieldValue(1 as Int64)), limit: 3)
        query.parameters = [
            QueryParameter("q", "milk & bread", matching: .hasWords("text", SearchWords("milk bread"))),
            QueryParameter("draft", "true"),
        ]
        #expect(
            Query(query).items == [
                QueryItem("filter", "eq(a,1)"), QueryItem("limit", "3"), QueryItem("q", "milk & bread"),
                QueryItem("draft", "true"),
            ])
        #expect(Query(query).encoded?.hasSuffix("q=milk%20%26%20bread&draft=true") == true)
    }

    @Test func itemsOfOtherNamesAreLeftAlone() throws {
        let query: Query = ["draft": nil, "limit": "3", "page": "2"]
        #expect(try RowQuery(query) == RowQuery(limit: 3))
    }

    @Test(arguments: [
        ("filter", "eq(a,1", "\")\" at byte 6", "the end"), ("filter", "eq(a)", "\",\" at byte 4", "\")\""),
        ("filter", "is(a,1)", "eq, lt, le, gt, ge, in, prefix, words, and, or or not at byte 0", "\"is(a,1)\""),
        ("filter", "eq(a,x)", "a number, a string or null at byte 5", "\"x)\""),
        ("filter", #"eq("a,1)"#, "a string as in JSON at byte 3", #""\#"a,1)""#),
        ("filter", "", "\"(\" at byte 0", "the end"), ("filter", "eq(a,1)b", "the end at byte 7", "\"b\""),
        ("sort", "a,,b", "the name of a field at byte 2", "\",b\""),
        ("limit", "-1", "a whole number from 0 on", "\"-1\""),
        ("limit", "1.5", "a whole number from 0 on", "\"1.5\""),
        ("after", "1,2", "the id, as a string, at the end", "the end"),
    ]) func syntaxErrorIsReportedWithItsPlace(
        _ name: String, _ text: String, _ expected: String, _ found: String
    ) throws {
        let failure = try #require(throws: ReadFailure.self) { try RowQuery(Query([QueryItem(name, text)])) }
        #expect(failure.code == .invalidRequest)
        #expect(failure.message.contains("expected \(expected)"), "\(failure.message)")
        #expect(failure.message.hasSuffix("of the query item \(name), found \(found)"), "\(failure.message)")
    }

    @Test func nestedConditionsHaveADepthLimit() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "not(", count: count) + "eq(a,1)" + String(repeating: ")", count: count)
        }
        #expect(throws: Never.self) { try RowQuery(["filter": nested(63)]) }
        #expect(throws: ReadFailure.self) { try RowQuery(["filter": nested(64)]) }
        #expect(throws: ReadFailure.self) { try RowQuery(["filter": nested(100_000)]) }
    }
}
