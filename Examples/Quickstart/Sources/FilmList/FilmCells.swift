import WharfPresentation

// Cells of a terminal: each is provided with its model and renders itself as a line.

struct FilmLine: ListCell {
    func render(_ film: Film) -> String { "    \(film.year)  \(film.title)" }
}

struct NoticeLine: ListCell {
    func render(_ notice: ListNotice) -> String { "  \(notice.text)" }
}

struct BannerLine: ListCell {
    let isTerminal: Bool

    func render(_ notice: ListNotice) -> String {
        // Reversed where the terminal can do that.
        isTerminal ? "\u{1B}[7m \(notice.text) \u{1B}[0m" : "! \(notice.text)"
    }
}
