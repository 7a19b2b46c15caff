internal import WharfPrimitives

/// The fields that are meant for one connection (RFC 9110 §7.6.1). They are passed on in neither
/// direction.
///
/// RFC 9110 names some of them. The field `Connection` names the others.
struct HopByHop: Sendable {
    /// The fields that `Connection` names, in lower case; usually empty.
    private let named: Set<String>

    /// - Parameter connection: the values of `Connection`.
    init(connection: some Sequence<String>) {
        var named: Set<String> = []
        for value in connection {
            // "close" and "keep-alive" name no other field, and nearly each request has one of
            // them.
            guard value != "keep-alive", value != "close" else { continue }
            for member in FieldList.members(value) { named.insert(member.lowercased()) }
        }
        self.named = named
    }

    /// - Parameter name: the name in lower case.
    func contains(_ name: String) -> Bool {
        // The length comes first: it rules out most fields without a comparison of text.
        switch (name.utf8.count, name) {
        case (2, "te"), (7, "trailer"), (7, "upgrade"), (10, "connection"), (10, "keep-alive"),
            (16, "proxy-connection"), (17, "transfer-encoding"):
            true
        default: !named.isEmpty && named.contains(name)
        }
    }
}
