import Testing
import WharfCore

@testable import WharfRepository

/// Page tokens in the form in which a store keeps them.
@Suite struct PageTokenTests {
    static let tokens: [PageToken] = [
        .offset(0), .offset(.max), .number(-1), .cursor(""), .cursor("o7"), .cursor("\u{301}combining"),
        .link("https://a.example/?p=2"),
        .after(Cursor(values: [], id: "")), .after(Cursor(values: [.null], id: "1:a")),
        .after(
            Cursor(
                values: [FieldValue("3:abc"), FieldValue(Int64.min), FieldValue(0.1), FieldValue(-.infinity)], id: "é")),
        .after(Cursor(values: [FieldValue("-"), FieldValue("\u{301}")], id: "\u{301}x")),
    ]

    @Test(arguments: tokens)
    func tokenRoundTripsThroughItsText(token: PageToken) {
        #expect(PageToken(text: token.text) == token)
    }

    @Test func differentTokensHaveDifferentTexts() {
        #expect(Set(Self.tokens.map(\.text)).count == Self.tokens.count)
    }

    @Test(arguments: ["", "x", "o", "oa", "n1.5", "a", "a1:", "a9:a", "a-1:", "a2:zz1:b", "a1:i1:b", "a2:--1:b"])
    func invalidTextIsNoToken(text: String) {
        #expect(PageToken(text: text) == nil)
    }

    @Test func damagedListRowIsNoPage() {
        let key = EntityKey(kind: "k/list", id: "q")
        func row(_ schema: Int, _ bytes: [UInt8]) -> EntityRow {
            EntityRow(key: key, schema: schema, bytes: bytes, asOf: WallTime(secondsSince1970: 0))
        }
        let bytes = ListRow.bytes(["1", "2"], next: .offset(2))
        #expect(ListRow.page(row(2, bytes))?.ids == ["1", "2"])
        #expect(ListRow.page(row(2, bytes))?.next == .offset(2))
        #expect(ListRow.ids(row(2, bytes)) == ["1", "2"])
        #expect(ListRow.page(row(1, bytes)) == nil)
        #expect(ListRow.page(row(2, [])) == nil)
        for count in 1..<bytes.count where count != 4 + 2 && count != 4 + 2 + 5 {
            #expect(ListRow.page(row(2, Array(bytes.prefix(count)))) == nil, "cut at \(count)")
        }
        #expect(ListRow.page(row(2, ListRow.bytes([], next: .cursor("x"))))?.next == .cursor("x"))
        #expect(ListRow.page(row(2, ListRow.bytes(["zz", "1"]))) == nil)
    }
}
