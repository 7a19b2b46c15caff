import Testing
import WharfCore

private struct Note: Equatable {
    var id: Int
    var title: String
    var due: Int?
    var status = Status.open

    enum Status: String, FieldRepresentable { case open, done }

    static let title = Field<Note, String>("title") { $0.title }
    static let due = Field<Note, Int?>("due") { $0.due }
    static let status = Field<Note, Status>("status") { $0.status }

    static let all = [
        Note(id: 1, title: "Tea", due: 5), Note(id: 2, title: "Te deum", due: nil),
        Note(id: 3, title: "tea", due: 1, status: .done), Note(id: 4, title: "Sugar", due: 5, status: .done),
    ]
}

extension EntityQuery<Note> {
    fileprivate var ids: [Int] {
        rows.answer(Note.all, id: { "\($0.id)" }) { note in
            var fields: [String: FieldValue] = [:]
            for index in [Note.title.index, Note.due.index, Note.status.index] { fields[index.name] = index.read(note) }
            return fields
        }.map(\.id)
    }
}

@Suite struct QueryTests {
    @Test func filterSelectsByItsCondition() {
        let query = EntityQuery<Note>()
        #expect(query.ids == [1, 2, 3, 4])
        #expect(query.filter(Note.title == "Tea").ids == [1])
        #expect(query.filter(Note.title != "Tea").ids == [2, 3, 4])
        #expect(query.filter(Note.title.hasPrefix("Te")).ids == [1, 2])
        #expect(query.filter(Note.due == nil).ids == [2])
        #expect(query.filter(Note.due < 5).ids == [3])
        #expect(query.filter(Note.due <= 5).ids == [1, 3, 4])
        #expect(query.filter(Note.due > 1).ids == [1, 4])
        #expect(query.filter(Note.due >= 1 && Note.status == .done).ids == [3, 4])
        #expect(query.filter(Note.due.isIn([nil, 1])).ids == [2, 3])
        #expect(query.filter(Note.due.isIn([])).ids == [])
        #expect(query.filter(Note.status == .open || Note.title == "tea").ids == [1, 2, 3])
        #expect(query.filter(Note.due > 1).filter(Note.status == .open).ids == [1])
    }

    @Test func comparisonWithNullIsFalseAndItsNegationTrue() {
        #expect(EntityQuery<Note>().filter(!(Note.due < 5)).ids == [1, 2, 4])
        #expect(EntityQuery<Note>().filter(Note.due < nil).ids == [])
        #expect(EntityQuery<Note>().filter(!(Note.due >= nil)).ids == [1, 2, 3, 4])
    }

    @Test func theOrderIsByEachKeyAndThenById() {
        #expect(EntityQuery<Note>().sorted(by: Note.due).ids == [2, 3, 1, 4])
        #expect(EntityQuery<Note>().sorted(by: Note.due, descending: true).ids == [1, 4, 3, 2])
        #expect(EntityQuery<Note>().sorted(by: Note.due, descending: true).sorted(by: Note.title).ids == [4, 1, 3, 2])
        #expect(EntityQuery<Note>().sorted(by: Note.due).limit(2).ids == [2, 3])
        #expect(EntityQuery<Note>().limit(0).ids == [])
        #expect(EntityQuery<Note>().limit(-1).ids == [])
    }

    @Test func cursorContinuesAtItsPlaceInTheOrder() {
        let byDue = EntityQuery<Note>().sorted(by: Note.due)
        #expect(byDue.after(Cursor(values: [FieldValue(1 as Int64)], id: "3")).ids == [1, 4])
        #expect(byDue.after(Cursor(values: [FieldValue(5 as Int64)], id: "1")).limit(1).ids == [4])
        // A cursor need not point to an existing row.
        #expect(byDue.after(Cursor(values: [FieldValue(2 as Int64)], id: "0")).ids == [1, 4])
        #expect(byDue.after(Cursor(values: [], id: "2")).ids == [3, 1, 4])
    }

    @Test func queriesWithEqualPartsAreEqual() {
        let query = EntityQuery<Note>().filter(Note.due < 5 && Note.title == "x").sorted(by: Note.due)
        #expect(query == EntityQuery<Note>().filter(Note.due < 5 && Note.title == "x").sorted(by: Note.due))
        #expect(query != query.limit(3))
    }
}
