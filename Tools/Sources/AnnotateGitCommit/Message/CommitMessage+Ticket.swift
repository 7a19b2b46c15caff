extension CommitMessage {
    /// Returns the message with the ticket in its place.
    ///
    /// If the ticket is there already, the bytes are the same. No text of the author is removed.
    ///
    /// - Parameter placeholder: the placeholder that the ticket replaces.
    package func adding(_ ticket: Ticket, insteadOf placeholder: Ticket? = nil) -> CommitMessage {
        if has(ticket) { return self }
        switch ticket.form {
        case .trailer(let key):
            let free = trailers(withKey: key).first { trailer in
                trailer.value.isEmpty || placeholder.map { trailer.value.elementsEqual($0.id) } ?? false
            }
            guard let free else { return with(appending(trailer: ticket.line)) }
            return with(
                Array(bytes[..<free.place.lowerBound]) + ticket.line + [.lineEnd] + bytes[free.place.upperBound...])
        case .prefix:
            let message = placeholder.flatMap(withoutPrefix) ?? self
            let start = message.subject?.lowerBound ?? 0
            let prefix = ticket.line + [.space] + (message.subject == nil ? [.lineEnd] : [])
            return with(message.bytes[..<start] + prefix + message.bytes[start...])
        }
    }

    /// Returns the message without the ticket that a hook wrote, wherever that ended up.
    ///
    /// - Parameter spared: the number of the author's lines that look like the ticket. If there is
    ///   more than one line beyond those, their origin is unknown, and all stay.
    package func removing(_ ticket: Ticket, sparing spared: Int) -> CommitMessage {
        if ticket.form == .prefix, let message = withoutPrefix(ticket) { return message }
        let found = lines.indices.filter { isLine(of: ticket, $0) }
        guard found.count == spared + 1 else { return self }
        var kept = lines
        switch ticket.form {
        case .prefix: kept.remove(at: found[0])
        case .trailer:
            let index = found[spared]
            kept.remove(at: index)
            let isAtEnd = index == kept.count || isBlank(kept[index])
            if isAtEnd, index > 0, isBlank(kept[index - 1]) { kept.remove(at: index - 1) }
        }
        return with(kept.flatMap { bytes[$0] } + bytes[(lines.last?.upperBound ?? 0)...])
    }

    /// Returns the number of lines that look like the ticket, except the one in its place.
    package func others(like ticket: Ticket) -> Int {
        let place = ticket.form == .prefix ? (subject.map { [$0] } ?? [])[...] : trailers
        return lines.indices.count { isLine(of: ticket, $0) && !place.contains(lines[$0]) }
    }

    /// Returns whether the line at `index` contains only the ticket.
    private func isLine(of ticket: Ticket, _ index: Int) -> Bool {
        guard bytes[lines[index]].withoutTrailingSpace.elementsEqual(ticket.line) else { return false }
        guard ticket.form != .prefix, index + 1 < lines.count else { return true }
        let next = lines[index + 1]
        return isBlank(next) || !bytes[next.lowerBound].isSpace
    }

    private func withoutPrefix(_ ticket: Ticket) -> CommitMessage? {
        guard let subject, bytes[subject].starts(with: ticket.line) else { return nil }
        let text = bytes[subject].dropFirst(ticket.line.count).drop { $0 == .space }
        return with(Array(bytes[..<subject.lowerBound]) + text + bytes[subject.upperBound...])
    }

    /// Returns whether the ticket is in its place.
    func has(_ ticket: Ticket) -> Bool {
        switch ticket.form {
        case .trailer(let key):
            return trailers(withKey: key).contains { $0.value.elementsEqual(ticket.id) }
        case .prefix:
            guard let subject else { return false }
            let text = bytes[subject].drop(while: \.isSpace)
            guard text.starts(with: ticket.id) else { return false }
            return text.dropFirst(ticket.id.count).first.map { $0 == .colon || $0.isSpace } ?? true
        }
    }

    /// Returns the texts at a ticket's place, including a placeholder.
    package func names(as form: Ticket.Form) -> [ArraySlice<UInt8>] {
        switch form {
        case .trailer(let key): trailers(withKey: key).map(\.value).filter { !$0.isEmpty }
        case .prefix:
            subject.map { bytes[$0].drop(while: \.isSpace) }
                .flatMap { text in text.firstIndex(of: .colon).map { [text[..<$0]] } } ?? []
        }
    }
}
