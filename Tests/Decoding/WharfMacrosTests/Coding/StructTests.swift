import Testing
import WharfChecks
import WharfJSON

@Suite struct StructTests {
    private static let whole = """
        {"id":1,"full_name":"Ann","home_url":"/a","visits":4,"ratio":0.5,"is_active":false,"note":"n","created_at":9,\
        "last_seen":8,"deleted_at":null,"checked_at":null,"watched":2}
        """

    @Test func everyKeyIsReadAndWritten() throws {
        let account = try JSON.decode(Account.self, from: Self.whole)
        #expect(account.fullName == "Ann" && account.homeURL == "/a" && account.visits == 4 && account.ratio == 0.5)
        #expect(!account.isActive && account.note == "n" && account.created == Instant(seconds: 9))
        #expect(account.lastSeen == Instant(seconds: 8) && account.deletedAt == .some(nil) && account.checkedAt == nil)
        #expect(account.watched == 2 && !account.isSelected && account.draft == nil && account.version == 3)
        #expect(try JSON.text(account) == Self.whole)
    }

    @Test func aMissingKeyLeavesTheDefault() throws {
        let account = try JSON.decode(Account.self, from: #"{"id":1,"home_url":"/a","created_at":9}"#)
        #expect(account.fullName == nil && account.visits == 0 && account.ratio == -1.5 && account.isActive)
        #expect(account.note == "none" && account.deletedAt == nil && account.checkedAt == Instant(seconds: 1))
        let written = """
            {"id":1,"home_url":"/a","visits":0,"ratio":-1.5,"is_active":true,"note":"none","created_at":9,\
            "checked_at":1,"watched":0}
            """
        #expect(try JSON.text(account) == written)
    }

    @Test func nullIsNotReplacedByTheDefault() {
        #expect(
            issues(#"{"id":1,"home_url":"/a","created_at":9,"visits":null}"#, as: Account.self) == [
                "typeMismatch visits 1:49"
            ])
    }

    @Test(arguments: [
        (#"{"limit":10}"#, Patch(name: nil, size: nil)),
        (#"{"name":null,"size":null,"limit":null}"#, Patch(name: .some(nil), size: .some(nil), limit: nil)),
        (#"{"name":"n","size":3,"limit":4}"#, Patch(name: "n", size: 3, limit: 4)),
    ])
    func missingNullAndAValueAreKeptApart(text: String, patch: Patch) throws {
        try roundTrip(text, patch)
    }

    @Test func keysInOtherOrdersAndWithEscapesAreFound() throws {
        let text = #"{ "limit" : 4 , "other" : [1], "si\u007ae" : 3 , "name" : "n" }"#
        #expect(try JSON.decode(Patch.self, from: text) == Patch(name: "n", size: 3, limit: 4))
    }

    @Test func propertiesMayShareNamesWithTheExpansion() throws {
        var awkward = Awkward(count: 3)
        awkward.default = true
        awkward.element = ["a": [1]]
        try roundTrip(#"{"json":1,"default":true,"element":{"a":[1]},"count":3}"#, awkward)
    }

    @Test func aStructWithoutPropertiesIsAnEmptyObject() throws {
        try roundTrip(#"{"a":1}"#, Nothing(), as: "{}")
        #expect(issues("[]", as: Nothing.self) == ["typeMismatch  1:1"])
    }

    @Test func nestedTypesAreReadAndWritten() throws {
        try roundTrip(#"{"id":1,"kind":"LARGE"}"#, Outer.Inner(id: 1, kind: .large))
    }

    @Test func handwrittenConformanceIsKept() throws {
        try roundTrip(#"{"id":1}"#, HalfByHand(id: 1), as: #""by hand""#)
        try roundTrip(#"{"id":1}"#, DeclaresItself(id: 1))
    }
}
