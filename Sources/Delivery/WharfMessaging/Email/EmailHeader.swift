/// The header fields of a message, as lines (RFC 5322 §2.2).
struct EmailHeader {
    private(set) var lines: [String] = []

    /// Adds a field of words with one space between them, folded at 78 characters (§2.1.1).
    ///
    /// A line is longer than that only if a single word is.
    ///
    /// - Throws: ``MessagingError/Code/tooLong`` for a word that makes a line longer than 998
    ///   characters.
    mutating func add(_ name: String, words: [String], width: Int = 78) throws(MessagingError) {
        var line = "\(name):"
        for (index, word) in words.enumerated() {
            // A fold needs white space, so it goes between two words (RFC 5322 §2.2.3).
            if index > 0, line.utf8.count + 1 + word.utf8.count > width {
                lines.append(line)
                line = ""
            }
            line += " \(word)"
            guard line.utf8.count <= 998 else {
                throw MessagingError(
                    .tooLong,
                    message: "the field \(name) needs a line of more than 998 characters (RFC 5322 §2.1.1); shorten it")
            }
        }
        lines.append(line)
    }

    /// Adds a field of unstructured text, with encoded words if the text needs them.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader`` for line breaks and NUL.
    mutating func add(_ name: String, text: String) throws(MessagingError) {
        try Self.check(text, name)
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        // A colon and a space follow the name. A line with an encoded word has at most 76
        // characters (RFC 2047 §2).
        let room = 76 - name.utf8.count - 2
        // A longer word can't be folded. An encoded word can be divided.
        if Self.isPlain(text), words.allSatisfy({ $0.utf8.count <= room }) {
            try add(name, words: words)
        } else {
            try add(name, words: EncodedWord.words(text, first: room), width: 76)
        }
    }

    /// Adds a field with a list of mailboxes. An empty list adds no field.
    ///
    /// - Throws: ``MessagingError/Code/invalidHeader`` for line breaks and NUL in a name.
    mutating func add(_ name: String, _ mailboxes: [Mailbox]) throws(MessagingError) {
        guard !mailboxes.isEmpty else { return }
        var words: [String] = []
        var isEncoded = false
        for (index, mailbox) in mailboxes.enumerated() {
            // Before encoding: a reader decodes a line break in an encoded word too.
            try Self.check(mailbox.name, name)
            // A later mailbox may begin a line, so only the first one shares its line with the
            // field's name.
            let room = index == 0 ? 76 - name.utf8.count - 2 : EncodedWord.longest
            let (phrase, isPhraseEncoded) = Self.phrase(mailbox.name, room: room)
            isEncoded = isEncoded || isPhraseEncoded
            words += phrase + [mailbox.name.isEmpty ? "\(mailbox.address)" : "<\(mailbox.address)>"]
            if index < mailboxes.count - 1 { words[words.count - 1] += "," }
        }
        // A line with an encoded word has at most 76 characters (RFC 2047 §2).
        try add(name, words: words, width: isEncoded ? 76 : 78)
    }

    /// Adds a value that this module wrote, which needs no check and fits on one line.
    mutating func addConstant(_ name: String, _ value: String) { lines.append("\(name): \(value)") }

    private static func phrase(_ name: String, room: Int) -> (words: [String], isEncoded: Bool) {
        if name.isEmpty { return ([], false) }
        let quoted = quoted(name)
        if isPlain(name), quoted.utf8.count <= room { return ([quoted], false) }
        return (EncodedWord.words(name, first: room), true)
    }

    /// Returns the text as a quoted-string (§3.2.4).
    private static func quoted(_ text: String) -> String {
        "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }

    /// Whether a mail reader shows the text unchanged without encoded words.
    ///
    /// It is printable ASCII with single spaces inside, and nothing in it looks like an encoded
    /// word.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.hasPrefix(" ") && !text.hasSuffix(" ")
            && !text.utf8.contains(sequence: "  ") && !text.utf8.contains(sequence: "=?")
    }

    private static func check(_ text: String, _ field: String) throws(MessagingError) {
        let scalars = text.unicodeScalars
        // Scalars and not characters: "\r\n" is one character that equals neither "\r" nor "\n".
        guard let place = scalars.firstIndex(where: { ["\r", "\n", "\0"].contains($0) }) else { return }
        throw MessagingError(
            .invalidHeader,
            message:
                "expected text without line breaks and NUL for the field \(field), which would end there; found "
                + "\("\(scalars[place])".debugDescription) as scalar \(scalars.distance(from: scalars.startIndex, to: place) + 1); "
                + "leave it out")
    }
}

extension String.UTF8View {
    fileprivate func contains(sequence: String) -> Bool {
        indices.contains { self[$0...].starts(with: sequence.utf8) }
    }
}
