/// A note in the git directory from the first hook to the second one.
///
/// It holds facts that git does not pass to the second hook.
struct Note: Hashable {
    /// The comments, including the marker if it is `auto`. The author may remove all lines that
    /// show the marker that git chose.
    var comments: Comments
    /// Whether the commit amends a merge.
    var isMerge: Bool
    /// The number of the author's lines that look like the ticket.
    ///
    /// Nil if the first hook had no ticket to write.
    var spared: Int?
    /// The template. git refuses an unedited one, but does not recognise it with a ticket in it.
    var template: [UInt8]?

    init(comments: Comments, isMerge: Bool, spared: Int?, template: [UInt8]?) {
        self.comments = comments
        self.isMerge = isMerge
        self.spared = spared
        self.template = template
    }

    /// Returns nil if the bytes are not a note.
    private init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: .lineEnd, maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count >= 5, let cleanup = Comments.Cleanup(rawValue: String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        comments = Comments(marker: Array(parts[0]), cleanup: cleanup, isEdited: !parts[2].isEmpty)
        isMerge = !parts[3].isEmpty
        spared = Int(String(decoding: parts[4], as: UTF8.self))
        template = parts.count == 6 ? Array(parts[5]) : nil
    }

    private var bytes: [UInt8] {
        let words = [
            comments.cleanup.rawValue, comments.isEdited ? "edited" : "", isMerge ? "merge" : "",
            spared.map { "\($0)" } ?? "",
        ]
        let fields = [comments.marker] + words.map { Array($0.utf8) } + (template.map { [$0] } ?? [])
        return Array(fields.joined(separator: [.lineEnd]))
    }

    func keep(in repository: Repository) throws(AnnotationError) {
        try Files.replace(Self.path(in: repository), with: bytes, mode: 0o600)
    }

    /// Returns the note and deletes it, as it is valid for this commit only.
    static func take(from repository: Repository) throws(AnnotationError) -> Note? {
        guard Files.exists(path(in: repository)) else { return nil }
        let note = Note(try Files.contents(of: path(in: repository)))
        try forget(in: repository)
        return note
    }

    static func forget(in repository: Repository) throws(AnnotationError) {
        try Files.remove(path(in: repository))
    }

    private static func path(in repository: Repository) -> String {
        repository.gitDirectory + "/ANNOTATE_GIT_COMMIT_NOTE"
    }
}
