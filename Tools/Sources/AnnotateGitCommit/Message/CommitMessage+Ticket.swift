extension CommitMessage {
    /// With the ticket where it belongs; the same bytes if it is there.
    package func adding(_ ticket: Ticket) -> CommitMessage {
        if has(ticket) { return self }
        // One that an author has pushed out of its place comes back to it.
        let message = removing(ticket)
        switch ticket.form {
        case .trailer(let key):
            return with(message.appending(trailer: ticket.trailer(key: key)))
        case .prefix:
            let start = message.subject?.lowerBound ?? 0
            let prefix = ticket.id + [.colon, .space] + (message.subject == nil ? [.lineEnd] : [])
            return with(Array(message.bytes[..<start]) + prefix + message.bytes[start...])
        }
    }

    /// Without the ticket, wherever it is.
    package func removing(_ ticket: Ticket) -> CommitMessage {
        switch ticket.form {
        case .trailer(let key):
            return with(removing(trailer: ticket.trailer(key: key)))
        case .prefix:
            guard let subject, bytes[subject].starts(with: ticket.id + [.colon]) else { return self }
            let rest = subject.lowerBound + ticket.id.count + 1
            let text = bytes[rest..<subject.upperBound].drop { $0 == .space }
            return with(Array(bytes[..<subject.lowerBound]) + text + bytes[subject.upperBound...])
        }
    }

    /// Whether the ticket is in its place.
    func has(_ ticket: Ticket) -> Bool {
        switch ticket.form {
        case .trailer(let key):
            return values(ofTrailer: key).contains { $0.elementsEqual(ticket.id) }
        case .prefix:
            guard let subject, bytes[subject].starts(with: ticket.id) else { return false }
            return !(bytes[subject].dropFirst(ticket.id.count).first?.isLetterOrDigit ?? false)
        }
    }

    /// Whether somebody has named another ticket by hand: any, in a trailer of the same key.
    package func hasAnother(than placeholder: Ticket?, as form: Ticket.Form) -> Bool {
        guard case .trailer(let key) = form else { return false }
        return values(ofTrailer: key).contains { !$0.elementsEqual(placeholder?.id ?? []) }
    }
}
