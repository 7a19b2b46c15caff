import Wharf
import WharfPresentation

/// The list of films as lines of text.
struct FilmScreen {
    private let cells: CellRegistry<Film, Void, String>

    init(isTerminal: Bool) {
        cells = CellRegistry {
            FilmLine()
        } notices: {
            NoticeLine()
        }
        .notices(of: .stale) { BannerLine(isTerminal: isTerminal) }
    }

    func lines(_ snapshot: Snapshot<[Film]>, at now: WallTime) -> [String] {
        // snippet.list
        let list = RowSource(snapshot)
            .sections { $0.decade }
            .sectionHeaders { "The \($0)s" }
            .placeholder("No films yet")
            .loading(snapshot.fetch) { $0 == .paused ? "Waiting for a network" : "Loading ..." }
            .staleBanner(of: snapshot, at: now, text: banner)
            .header("Films")
            .footer(snapshot.value.map { "\($0.count) films" })
        // snippet.end
        return draw(list)
    }

    private func banner(_ stale: Staleness) -> String? {
        // A stale value without an error is being refreshed already, so it needs no banner.
        guard let error = stale.error else { return nil }
        guard let age = stale.age else { return "Can't load: \(error.message)" }
        return "\(age.components.seconds) s old, not refreshed: \(error.message)"
    }

    private func draw<List: ListSource<Film> & IdentifiedSections & ListHeader & ListFooter>(
        _ list: List
    ) -> [String] {
        var lines: [String] = []
        if let header = list.listHeader { lines.append(header) }
        for section in list.listSections() {
            if let header = section.header { lines.append("  \(header)") }
            lines += section.elements.map { cells.render($0) }
        }
        if let footer = list.listFooter { lines.append(footer) }
        return lines
    }
}
