import Testing
import WharfChecks
import WharfCore
import WharfPresentation
import WharfPresentationLaws

@Suite struct ListSourceLawTests {
    static let sources: [ListSourceLaws.Subject] = [
        .init("RowSource") { RowSource(0..<$0) },
        .init("RowSource of a snapshot") { RowSource(Snapshot.read(Array(0..<$0))) },
        .init("RowSource of a set") { RowSource(Set(0..<$0)) },
        .init("RowSource of headed elements") { RowSource((0..<$0).map { Appliance(id: $0) }) },
        .init("SectionedSource") { RowSource(0..<$0).sections { $0 % 3 } },
        .init("SectionedSource of given sections") { count in
            SectionedSource([
                ListSection(id: "none", header: "h", footer: "f", elements: []),
                ListSection(id: "all", header: "h", footer: "f", elements: Array(0..<count)),
            ])
        },
        .init("EditableList") { RowSource(0..<$0).editable(where: { $0 % 2 == 0 }) { _ in } },
        .init("MovableList") { RowSource(0..<$0).movable(where: { $0 % 2 == 0 }) { _, _, _ in } },
        .init("a list without the notice that it may have") { RowSource(0..<$0).notice(nil) },
        .init("a source that adds before it compares") { AddingSource(count: $0) },
        .init("a decorated list") { count in
            let snapshot = Snapshot.read(Array(0..<count), error: .gone, fetch: .refreshing)
            return RowSource(snapshot).sections { $0 / 3 }.editable(where: { $0 % 2 == 0 }) { _ in }
                .movable(where: { $0 % 3 == 0 }) { _, _, _ in }
                .sectionHeaders { "\($0)" }.sectionFooters { "\($0)" }
                .placeholder("none").loading(snapshot.fetch) { "\($0)" }
                .staleBanner(of: snapshot, at: .distantFuture) { "\($0)" }
                .notice(ListNotice(.stale, "another"))
        },
    ]

    @Test(arguments: sources, ListSourceLaws.all)
    func sourceKeepsLaw(source: ListSourceLaws.Subject, law: Law<ListSourceLaws.Subject>) async throws {
        try await law.check(source)
    }

    @Test(arguments: ListSourceLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<ListSourceLaws.Subject>) async throws {
        try await law.prove(by: WrongSource.mutants, in: ListSourceLaws.all)
    }
}
