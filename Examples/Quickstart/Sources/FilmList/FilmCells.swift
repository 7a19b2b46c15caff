import WharfPresentation

// Cells for a terminal. Each gets its model and renders itself as a line.

struct FilmLine: ListCell {
    func render(_ film: Film) -> String { "    \(film.year)  \(film.title)" }
}

struct NoticeLine: ListCell {
    func render(_ notice: ListNotice) -> String { "  \(notice.text)" }
}

struct BannerLine: ListCell {
    let isTerminal: Bool

    func render(_ notice: ListNotice) -> String {
        // Shown in reverse video on a terminal.
        isTerminal ? "\u{1B}[7m \(notice.text) \u{1B}[0m" : "! \(notice.text)"
    }
}
