import Testing
import WharfCore
import WharfPresentation

/// Another type with headers of its own, in the same program.
private struct Song: HeadedElement {
    let artist: String

    static func sectionHeader(of elements: [Song]) -> String? {
        elements.first.map { "\($0.artist), \(elements.count)" }
    }
}

@Suite struct SpecialisationTests {
    private let appliances = [
        Appliance(id: 1, room: "Kitchen"), Appliance(id: 2, room: "Bathroom"), Appliance(id: 3, room: "Kitchen"),
    ]

    @Test func specializedSourceProvidesItsOwnHeader() {
        let list = RowSource(appliances)
        #expect(list.header(ofSection: 0) == "Kitchen")
        #expect(list.header(ofSection: 1) == nil && list.header(ofSection: -1) == nil)
        #expect(list.listSections().map(\.header) == ["Kitchen"])
    }

    @Test func specializedSectionsEachHaveTheirHeader() {
        let list = RowSource(appliances).sections { $0.room }
        #expect(list.listSections().map(\.header) == ["Kitchen", "Bathroom"])
        #expect(!RowSource(Snapshot<[Appliance]>.read(nil)).sections { $0.room }.isKnown)
    }

    @Test func decoratorsKeepTheSpecializedHeader() {
        let list = RowSource(appliances).notice(ListNotice(.stale, "old")).header("Appliances")
        #expect((0..<2).map { list.header(ofSection: $0) } == [nil, "Kitchen"])
        #expect(list.sectionHeaders { _ in "Other" }.header(ofSection: 1) == "Other")
    }

    @Test func unspecializedSourceHasNoSectionHeaders() {
        #expect(!(RowSource([Film(id: 1)]) is any SectionHeaders))
        #expect(!(RowSource([Film(id: 1)]).header("Films") is any SectionHeaders))
        #expect(RowSource([Film(id: 1)]).sections { $0.decade }.header(ofSection: 0) == nil)
    }

    @Test func secondElementTypeHasItsOwnSpecialization() {
        #expect(RowSource([Song(artist: "Nico"), Song(artist: "Nico")]).header(ofSection: 0) == "Nico, 2")
    }
}
