import Testing
import WharfCore

@Suite struct QueryParameterTests {
    private struct Note: Identifiable {
        let id: Int
        static let text = Field<Note, String>("text") { _ in "" }
    }

    @Test func aParameterIsTypedAndReplacesTheOneBefore() {
        let query = EntityQuery<Note>().parameter("page", 2).parameter("draft", true).parameter("page", 3)
        #expect(query.rows.parameter("page", as: Int.self) == 3)
        #expect(query.rows.parameter("draft", as: Bool.self) == true)
        #expect(query.rows.parameter("draft") == "true")
        #expect(query.rows.parameter("draft", as: Int.self) == nil)
        #expect(query.rows.parameter("q") == nil)
        #expect(query.rows.parameters.count == 2)
        #expect(query.parameter("page", nil as Int?).rows.parameters.map(\.name) == ["draft"])
    }

    @Test func storeQueryUsesParameterConditionsOnly() {
        let found = Note.text.hasWords("milk")
        let query = EntityQuery<Note>().filter(Note.text.hasPrefix("a")).parameter("q", "milk", matching: found).limit(
            3)
        #expect(query.rows.storeQuery == RowQuery(.all([.hasPrefix("text", "a"), found.condition]), limit: 3))
        #expect(query.parameter("page", 2).rows.storeQuery == nil)
        #expect(EntityQuery<Note>().rows.storeQuery == RowQuery())
    }

    @Test func fieldValuesCanBeRead() {
        #expect(FieldValue("a").text == "a")
        #expect(FieldValue(3 as Int64).integer == 3)
        #expect(FieldValue(3 as Int64).number == 3)
        #expect(FieldValue(0.5).number == 0.5)
        #expect(FieldValue(0.5).integer == nil)
        #expect(FieldValue.null.text == nil)
        #expect(FieldValue("a").number == nil)
    }
}
